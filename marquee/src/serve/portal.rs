//! The local process's portal. It uses the local sign-in and has the same origin as the API.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use gateway::Issuer;
use http::header::HOST;
use portal::{BaseMap, PATH, Pages, PagesError, Settings};

/// Returns the portal's router. It serves the files in `folder`, or those embedded in the program if `folder`
/// is `None`.
pub(super) fn router(
    origin: &str,
    folder: Option<PathBuf>,
    settings: Settings,
) -> Result<Router, PagesError> {
    let pages = folder.map_or_else(Pages::built_in, Pages::in_folder)?;
    let redirect = from_fn_with_state(Arc::<str>::from(origin), redirect_to_origin);
    Ok(portal::router(pages, settings).layer(redirect))
}

/// Returns the portal's settings, with the local issuer for sign-in.
pub(super) fn settings(
    origin: &str,
    issuer: &Issuer,
    self_sign_up: bool,
    support_url: Option<String>,
    base_map: Option<BaseMap>,
) -> Settings {
    Settings {
        issuer: Some(issuer.issuer.clone()),
        client_id: issuer.audience.clone(),
        sign_out_url: Some(format!("{origin}/logout")),
        search_url: Some(origin.to_owned()),
        support_url,
        base_map,
        self_sign_up,
        local: true,
    }
}

/// Redirects requests for other host names, such as `localhost`, to the origin where the local sign-in works.
async fn redirect_to_origin(State(origin): State<Arc<str>>, request: Request, next: Next) -> Response {
    // Browsers omit port 80, the default for HTTP.
    let host = |name: &str| name.strip_suffix(":80").unwrap_or(name).to_owned();
    let named = request.headers().get(HOST).and_then(|name| name.to_str().ok()).map(host);
    if named == origin.strip_prefix("http://").map(host) {
        return next.run(request).await;
    }
    let path = request.uri().path_and_query().map_or(PATH, |path| path.as_str());
    Redirect::temporary(&format!("{origin}{path}")).into_response()
}
