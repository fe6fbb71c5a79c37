//! The map page of the local process: shows the displays and places in vector tiles. It is never deployed.

mod link;

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

pub(super) use link::link;

/// The page's address on the local origin.
const PATH: &str = "/map";

/// Scripts, styles, workers and data from this origin alone; pictures in style sheets too.
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
    /// Whether the body is compressed, as every browser takes it.
    gzip: bool,
}

const ASSETS: [Asset; 8] = [
    plain(PATH, "text/html; charset=utf-8", include_bytes!("index.html")),
    plain("/map/map.js", SCRIPT, include_bytes!("map.js")),
    plain("/map/layers.js", SCRIPT, include_bytes!("layers.js")),
    plain("/map/words.js", SCRIPT, include_bytes!("words.js")),
    plain("/map/map.css", STYLE, include_bytes!("map.css")),
    gzip("/map/maplibre-gl.mjs", SCRIPT, include_bytes!("../../../assets/maplibre/maplibre-gl.mjs.gz")),
    gzip("/map/maplibre-gl-worker.mjs", SCRIPT, include_bytes!("../../../assets/maplibre/maplibre-gl-worker.mjs.gz")),
    gzip("/map/maplibre-gl.css", STYLE, include_bytes!("../../../assets/maplibre/maplibre-gl.css.gz")),
];

/// Makes the router of the page and what it loads, for an origin such as `http://127.0.0.1:3000`.
pub(super) fn router(origin: &str) -> Router {
    let files = ASSETS
        .iter()
        .fold(Router::new(), |files, asset| files.route(asset.path, get(move || async move { asset.into_response() })));
    files.route_layer(from_fn_with_state(Arc::<str>::from(origin), at_home))
}

/// Sends a browser that came under another name, such as `localhost`, to the origin that grants are for.
async fn at_home(State(origin): State<Arc<str>>, request: Request, next: Next) -> Response {
    // A browser leaves the port out that http has by itself.
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
