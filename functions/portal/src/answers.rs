//! The responses: the shell for every page, the documents, and the files.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::documents::{self, Origins};
use crate::{PATH, PortalState};

const HTML: &str = "text/html; charset=utf-8";
/// Page addresses contain asset ids and, briefly, the authorization code of a sign-in.
const NO_REFERRER: (HeaderName, &str) = (REFERRER_POLICY, "no-referrer");
/// After signing out, the back button must not show the page.
const NOT_STORED: (HeaderName, &str) = (CACHE_CONTROL, "no-store");
/// A document contains the current digest and the request's host, so caches must revalidate it.
const REVALIDATED: (HeaderName, &str) = (CACHE_CONTROL, "private, no-cache");
const FOR_EVER: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=31536000, immutable");

/// A document loads its own style sheets and script, and makes no other requests.
const DOCUMENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                               form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Redirects `/` to the portal's first page.
pub(crate) async fn front_door() -> Redirect {
    Redirect::temporary(&format!("{PATH}/"))
}

/// Serves the shell for every page. The shell's script renders the page for the address.
pub(crate) async fn shell(State(state): State<PortalState>, request: Request) -> Response {
    let settings = state.settings.for_request(request.extensions());
    let edition = match state.pages.newest() {
        Ok(edition) => edition,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    };
    let policy = edition.shell.policy(&settings.connections());
    let (Ok(policy), Ok(html)) = (HeaderValue::try_from(policy), edition.shell.html(&settings)) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let headers = [(CONTENT_TYPE, HTML), NO_REFERRER, NOT_STORED];
    (headers, [(CONTENT_SECURITY_POLICY, policy)], html).into_response()
}

/// Serves a document as HTML, or a 404 page if the document doesn't exist.
pub(crate) async fn document(
    State(state): State<PortalState>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let settings = state.settings.for_request(request.extensions());
    let edition = match state.pages.newest() {
        Ok(edition) => edition,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    };
    let document = documents::named(&name);
    let status = if document.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let api = own_origin(request.headers(), settings.local);
    let search = settings.search_url.as_deref().unwrap_or(&api);
    let html = documents::page(&edition.document_template, document, Origins { api: &api, search });
    let headers = [(CONTENT_TYPE, HTML), NO_REFERRER, REVALIDATED];
    (status, headers, [(CONTENT_SECURITY_POLICY, DOCUMENT_POLICY)], html).into_response()
}

/// Returns the request's origin, or [`documents::API_ORIGIN`] if its `Host` header has unsafe characters.
fn own_origin(headers: &HeaderMap, is_local: bool) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_plain = |host: &&str| host.chars().all(|one| one.is_ascii_alphanumeric() || ".-:[]".contains(one));
    let scheme = if is_local { "http" } else { "https" };
    host.filter(is_plain).map_or(documents::API_ORIGIN.to_owned(), |host| format!("{scheme}://{host}"))
}

/// Serves a file of the current edition. For the digest of an earlier edition it returns 404: that page must
/// be reloaded, because its files don't match the current ones.
pub(crate) async fn file(
    State(state): State<PortalState>,
    Path((digest, path)): Path<(String, String)>,
) -> Response {
    let edition = state.pages.current();
    let file = edition.files.get(&path).filter(|_| digest == edition.digest);
    let Some(file) = file else {
        let text = "file not found; reload the page\n";
        return (StatusCode::NOT_FOUND, [NOT_STORED], text).into_response();
    };
    let headers = [(CONTENT_TYPE, file.content_type), (CONTENT_ENCODING, "gzip"), NO_REFERRER, FOR_EVER];
    (headers, file.gzip()).into_response()
}
