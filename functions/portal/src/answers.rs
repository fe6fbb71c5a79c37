//! The answers: the shell for every page, the documents, and the files.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::documents::{self, Origins};
use crate::{PATH, PortalState};

const HTML: &str = "text/html; charset=utf-8";
const NO_SNIFFING: (HeaderName, &str) = (X_CONTENT_TYPE_OPTIONS, "nosniff");
/// Addresses of pages hold ids of assets, and for a moment the code of a sign-in.
const NO_REFERRER: (HeaderName, &str) = (REFERRER_POLICY, "no-referrer");
/// Whoever signs out and goes back sees nothing.
const NOT_STORED: (HeaderName, &str) = (CACHE_CONTROL, "no-store");
/// A document names files of the current digest, and the host that its reader asked.
const REVALIDATED: (HeaderName, &str) = (CACHE_CONTROL, "private, no-cache");
const FOR_EVER: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=31536000, immutable");

/// A document loads its own style sheets and script, and connects to nobody.
const DOCUMENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                               form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Leads to the first page.
pub(crate) async fn front_door() -> Redirect {
    Redirect::temporary(&format!("{PATH}/"))
}

/// Answers with the shell, whatever the page: its script knows them.
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
    let headers = [(CONTENT_TYPE, HTML), NO_SNIFFING, NO_REFERRER, NOT_STORED];
    (headers, [(CONTENT_SECURITY_POLICY, policy)], html).into_response()
}

/// Answers with a document as HTML, or with a page that says there is no such document.
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
    let headers = [(CONTENT_TYPE, HTML), NO_SNIFFING, NO_REFERRER, REVALIDATED];
    (status, headers, [(CONTENT_SECURITY_POLICY, DOCUMENT_POLICY)], html).into_response()
}

/// Returns the origin that a reader asked, or that of the examples where the host is not a plain name.
fn own_origin(headers: &HeaderMap, is_local: bool) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_plain = |host: &&str| host.chars().all(|one| one.is_ascii_alphanumeric() || ".-:[]".contains(one));
    let scheme = if is_local { "http" } else { "https" };
    host.filter(is_plain).map_or(documents::API_ORIGIN.to_owned(), |host| format!("{scheme}://{host}"))
}

/// Answers with a file of the current digest. A page of an earlier one must be loaded anew: its files do not
/// fit to these.
pub(crate) async fn file(
    State(state): State<PortalState>,
    Path((digest, path)): Path<(String, String)>,
) -> Response {
    let edition = state.pages.current();
    let file = edition.files.get(&path).filter(|_| digest == edition.digest);
    let Some(file) = file else {
        let text = "there is no such file; load the page anew\n";
        return (StatusCode::NOT_FOUND, [NO_SNIFFING, NOT_STORED], text).into_response();
    };
    let headers =
        [(CONTENT_TYPE, file.content_type), (CONTENT_ENCODING, "gzip"), NO_SNIFFING, NO_REFERRER, FOR_EVER];
    (headers, file.gzip()).into_response()
}
