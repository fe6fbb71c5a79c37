//! Writes the `Link` header for paginated lists (RFC 8288).

use http::Uri;

/// The maximum size of the header, in bytes. API Gateway limits a response's headers to 10,240 bytes in
/// total, and would reject a response with larger headers after the call was charged.
const MAX_BYTES: usize = 4_096;

/// A list's address, without its `cursor` parameter.
#[derive(Clone, Debug)]
pub(super) struct ListAddress {
    path: String,
    /// The other parameters, exactly as the client sent them.
    query: Vec<String>,
}

impl ListAddress {
    pub(super) fn of(address: &Uri) -> Self {
        let parameters = address.query().unwrap_or_default().split('&');
        let kept = parameters.filter(|one| !one.is_empty() && one.split('=').next() != Some("cursor"));
        Self { path: address.path().to_owned(), query: kept.map(str::to_owned).collect() }
    }

    /// Returns the header's value: a link to the next page, if there is one, and a link to the first page.
    /// Omits the link to the first page if the header would be too long with both links. Returns `None` if
    /// even one link is too long.
    pub(super) fn links(&self, public_url: &str, next: Option<String>) -> Option<String> {
        let next = next.map(|cursor| format!("<{public_url}{}>; rel=\"next\"", self.page(Some(&cursor))));
        let first = format!("<{public_url}{}>; rel=\"first\"", self.page(None));
        let both = next.iter().cloned().chain([first]).collect::<Vec<_>>().join(", ");
        [Some(both), next].into_iter().flatten().find(|links| links.len() <= MAX_BYTES)
    }

    fn page(&self, cursor: Option<&str>) -> String {
        let cursor = cursor.map(|cursor| format!("cursor={cursor}"));
        let query: Vec<_> = self.query.iter().cloned().chain(cursor).collect();
        if query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, query.join("&")) }
    }
}
