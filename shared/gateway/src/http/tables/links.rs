//! The `Link` header, with links to a list's pages (RFC 8288).

use http::Uri;

/// The maximum size of the header, in bytes. API Gateway allows 10,240 bytes for all headers of a response,
/// and rejects a larger response after the call was charged.
const MAX_BYTES: usize = 4_096;

/// The address of a list, without the page.
#[derive(Clone, Debug)]
pub(super) struct ListAddress {
    path: String,
    /// The parameters other than `cursor`, as they were sent.
    query: Vec<String>,
}

impl ListAddress {
    pub(super) fn of(address: &Uri) -> Self {
        let parameters = address.query().unwrap_or_default().split('&');
        let kept = parameters.filter(|one| !one.is_empty() && one.split('=').next() != Some("cursor"));
        Self { path: address.path().to_owned(), query: kept.map(str::to_owned).collect() }
    }

    /// Writes links to the page at a cursor, if there is one, and to the first page. Omits the link to the
    /// first page if both don't fit.
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
