//! The page and the files that it loads, all of them part of the program.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::HeaderValue;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};

/// The page's path on the local origin.
pub(super) const PATH: &str = "/map";

/// Scripts, styles, workers and data come from this origin alone; style sheets may hold pictures.
const POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    body: &'static [u8],
    /// Whether the body is stored and sent compressed.
    gzip: bool,
}

const ASSETS: [Asset; 8] = [
    plain(PATH, "text/html; charset=utf-8", include_bytes!("index.html")),
    plain("/map/map.js", SCRIPT, include_bytes!("map.js")),
    plain("/map/layers.js", SCRIPT, include_bytes!("layers.js")),
    plain("/map/words.js", SCRIPT, include_bytes!("words.js")),
    plain("/map/map.css", STYLE, include_bytes!("map.css")),
    gzip("/map/maplibre-gl.mjs", SCRIPT, include_bytes!("../../../assets/maplibre/maplibre-gl.mjs.gz")),
    gzip(
        "/map/maplibre-gl-worker.mjs",
        SCRIPT,
        include_bytes!("../../../assets/maplibre/maplibre-gl-worker.mjs.gz"),
    ),
    gzip("/map/maplibre-gl.css", STYLE, include_bytes!("../../../assets/maplibre/maplibre-gl.css.gz")),
];

/// Makes the router of the page and of what it loads, for an origin such as `http://127.0.0.1:3000`.
pub(in crate::serve) fn router(origin: &str) -> Router {
    let files = ASSETS.iter().fold(Router::new(), |files, asset| {
        files.route(asset.path, get(move || async move { asset.into_response() }))
    });
    files.route_layer(from_fn_with_state(Arc::<str>::from(origin), redirect_to_origin))
}

/// Sends a browser that uses another name, such as `localhost`, to the origin that the grants are for.
async fn redirect_to_origin(State(origin): State<Arc<str>>, request: Request, next: Next) -> Response {
    // Browsers leave out the default port of http.
    let host = |name: &str| name.strip_suffix(":80").unwrap_or(name).to_owned();
    let named = request.headers().get(HOST).and_then(|name| name.to_str().ok()).map(host);
    if named == origin.strip_prefix("http://").map(host) {
        return next.run(request).await;
    }
    let path = request.uri().path_and_query().map_or(PATH, |path| path.as_str());
    Redirect::temporary(&format!("{origin}{path}")).into_response()
}

impl IntoResponse for &'static Asset {
    fn into_response(self) -> Response {
        let mut response = self.body.into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // The page's address holds grants.
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if self.gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

const fn plain(path: &'static str, content_type: &'static str, body: &'static [u8]) -> Asset {
    Asset { path, content_type, body, gzip: false }
}

const fn gzip(path: &'static str, content_type: &'static str, body: &'static [u8]) -> Asset {
    Asset { path, content_type, body, gzip: true }
}
