//! The handlers that serve the shell, the documents, and the files.

use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use gateway::EXAMPLE_API_ORIGIN;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::documents::{self, Origins};
use crate::{PATH, PortalState, Settings};

const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
/// Keeps page addresses out of `Referer` headers, because the addresses contain asset IDs and, briefly, a
/// sign-in's authorization code.
const NO_REFERRER: (HeaderName, &str) = (REFERRER_POLICY, "no-referrer");
/// Keeps pages out of the browser's caches, so that the back button doesn't show them after signing out.
const NOT_STORED: (HeaderName, &str) = (CACHE_CONTROL, "no-store");
/// Keeps pages out of search engines. The page that a client link opens is meant only for the link's
/// recipients.
const UNLISTED: (HeaderName, &str) = (HeaderName::from_static("x-robots-tag"), "noindex");
/// Caches must revalidate documents, because a document contains the current digest and the request's host.
const REVALIDATED: (HeaderName, &str) = (CACHE_CONTROL, "private, no-cache");
const FOR_EVER: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=31536000, immutable");

/// The content security policy for documents. A document loads only its own style sheets, script, and images.
const DOCUMENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
                               img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Redirects `/` to the portal's start page.
pub(crate) async fn redirect_to_portal() -> Redirect {
    Redirect::temporary(&format!("{PATH}/"))
}

/// Serves the shell at every page's address. The shell's script renders the page.
pub(crate) async fn shell(State(state): State<PortalState>, request: Request) -> Response {
    let settings = state.settings.for_request(request.extensions());
    let edition = match state.pages.newest() {
        Ok(edition) => edition,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    };
    let policy = edition.shell.policy(&settings);
    let (Ok(policy), Ok(html)) = (HeaderValue::try_from(policy), edition.shell.html(&settings)) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let headers = [(CONTENT_TYPE, HTML), NO_REFERRER, NOT_STORED, UNLISTED];
    (headers, [(CONTENT_SECURITY_POLICY, policy)], html).into_response()
}

/// Serves a document as HTML, or as Markdown if the name ends with `.md`. If the document doesn't exist,
/// serves an error page with status 404.
pub(crate) async fn document(
    State(state): State<PortalState>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let settings = state.settings.for_request(request.extensions());
    let (api, search) = own_origins(request.headers(), &settings);
    let origins = Origins { api: &api, search: &search };
    if let Some(document) = name.strip_suffix(".md").and_then(documents::named) {
        return plain(MARKDOWN, documents::markdown(document, origins));
    }
    let edition = match state.pages.newest() {
        Ok(edition) => edition,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    };
    let document = documents::named(&name);
    let status = if document.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let html = documents::page(&edition.document_template, document, origins);
    let headers = [(CONTENT_TYPE, HTML), NO_REFERRER, REVALIDATED];
    (status, headers, [(CONTENT_SECURITY_POLICY, DOCUMENT_POLICY)], html).into_response()
}

/// Serves the list of documents for programs.
pub(crate) async fn llms_txt() -> Response {
    plain(MARKDOWN, documents::list())
}

/// Serves the API description as JSON.
pub(crate) async fn description(State(state): State<PortalState>, request: Request) -> Response {
    let settings = state.settings.for_request(request.extensions());
    let (api, search) = own_origins(request.headers(), &settings);
    plain("application/json", documents::description(Origins { api: &api, search: &search }))
}

fn plain(content_type: &'static str, text: String) -> Response {
    ([(CONTENT_TYPE, content_type), NO_REFERRER, REVALIDATED], text).into_response()
}

/// Returns the origins of the main API, which the request was sent to, and of the search gateway.
fn own_origins(headers: &HeaderMap, settings: &Settings) -> (String, String) {
    let api = own_origin(headers, settings.local);
    let search = settings.search_url.clone().unwrap_or_else(|| api.clone());
    (api, search)
}

/// Returns the origin that the request was sent to. Returns [`EXAMPLE_API_ORIGIN`] if there is no `Host`
/// header or it contains unsafe characters.
fn own_origin(headers: &HeaderMap, is_local: bool) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_plain = |host: &&str| host.chars().all(|one| one.is_ascii_alphanumeric() || ".-:[]".contains(one));
    let scheme = if is_local { "http" } else { "https" };
    host.filter(is_plain).map_or(EXAMPLE_API_ORIGIN.to_owned(), |host| format!("{scheme}://{host}"))
}

/// Serves a file of the current edition. Returns 404 if the address contains the digest of another edition.
/// The page that requests such a file must be reloaded, because its files don't match the current ones.
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
