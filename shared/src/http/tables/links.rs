//! `Link`: the way to the other pages of a list (RFC 8288).

use http::Uri;

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

    /// Writes the links to the first page and, where there is one, to the page at a cursor.
    pub(super) fn links(&self, public_url: &str, next: Option<String>) -> String {
        let first = format!("<{public_url}{}>; rel=\"first\"", self.page(None));
        match next {
            Some(cursor) => format!("<{public_url}{}>; rel=\"next\", {first}", self.page(Some(&cursor))),
            None => first,
        }
    }

    fn page(&self, cursor: Option<&str>) -> String {
        let cursor = cursor.map(|cursor| format!("cursor={cursor}"));
        let query: Vec<_> = self.query.iter().cloned().chain(cursor).collect();
        if query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, query.join("&")) }
    }
}
