//! `Link`: the way to the other pages of a list (RFC 8288).

use http::Uri;

/// The most bytes of the header: API Gateway takes 10,240 for all headers of an answer, and refuses one with
/// more after the call was charged.
const MAX_BYTES: usize = 4_096;

/// The address of a list, and what is asked of it besides the page.
#[derive(Clone, Debug)]
pub(super) struct ListAddress {
    path: String,
    /// The query without its cursor, as it was sent.
    query: Vec<String>,
}

impl ListAddress {
    pub(super) fn of(address: &Uri) -> Self {
        let parameters = address.query().unwrap_or_default().split('&');
        let kept = parameters.filter(|one| !one.is_empty() && one.split('=').next() != Some("cursor"));
        Self { path: address.path().to_owned(), query: kept.map(str::to_owned).collect() }
    }

    /// Writes the links to the page at a cursor, where there is one, and to the first page, as far as there is
    /// room for them.
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
