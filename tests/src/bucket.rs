//! A bucket on a loopback port: S3's interface over a folder, whose answers can be broken off and held up.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use http::StatusCode;
use http_body_util::BodyExt;
use release_store::BucketConnection;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tower::ServiceExt;

/// A server of buckets, each of which is a folder.
pub struct BucketServer {
    endpoint: String,
    state: Arc<Served>,
}

/// A call that a server received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketCall {
    /// The method's name.
    pub method: String,
    /// The path: the bucket and the key.
    pub path: String,
    /// The range that was asked for.
    pub range: Option<String>,
}

struct Served {
    root: PathBuf,
    service: S3Service,
    script: Mutex<Script>,
}

#[derive(Default)]
struct Script {
    calls: Vec<BucketCall>,
    in_flight: usize,
    most_in_flight: usize,
    to_break_off: BTreeMap<&'static str, usize>,
    to_refuse: usize,
    delay: Duration,
}

impl BucketServer {
    /// Starts a server of the buckets in a folder; there are none yet.
    pub async fn start(root: &Path) -> Self {
        std::fs::create_dir_all(root).expect("a folder");
        let mut builder = S3ServiceBuilder::new(FileSystem::new(root).expect("a folder"));
        builder.set_auth(SimpleAuth::from_single("local", "local"));
        let (root, service) = (root.to_owned(), builder.build());
        let state = Arc::new(Served { root, service, script: Mutex::default() });
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(answer).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { endpoint, state }
    }

    /// Says how the server is reached, with little patience.
    pub fn connection(&self) -> BucketConnection {
        BucketConnection {
            endpoint: Some(self.endpoint.clone()),
            attempt_timeout: Duration::from_secs(5),
            ..BucketConnection::default()
        }
    }

    /// Makes a bucket.
    pub fn create_bucket(&self, name: &str) {
        std::fs::create_dir(self.state.root.join(name)).expect("a new bucket");
    }

    /// Returns the file in which an object is kept, to be looked at, altered and removed.
    pub fn object(&self, bucket: &str, key: &str) -> PathBuf {
        self.state.root.join(bucket).join(key)
    }

    /// Breaks the next answers to GET of a file off in their middle, the connection with them.
    pub fn break_off(&self, file: &'static str, answers: usize) {
        self.script().to_break_off.insert(file, answers);
    }

    /// Answers the next calls with a 503.
    pub fn refuse(&self, calls: usize) {
        self.script().to_refuse = calls;
    }

    /// Holds every call up for so long.
    pub fn delay(&self, delay: Duration) {
        self.script().delay = delay;
    }

    /// Returns the calls since it was last asked.
    pub fn take(&self) -> Vec<BucketCall> {
        std::mem::take(&mut self.script().calls)
    }

    /// Returns how many calls there were at once, at most.
    pub fn most_in_flight(&self) -> usize {
        self.script().most_in_flight
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.state.script()
    }
}

impl Served {
    fn has_bucket(&self, path: &str) -> bool {
        let bucket = path.split('/').nth(1).unwrap_or_default();
        self.root.join(bucket).is_dir()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn answer(State(served): State<Arc<Served>>, request: Request) -> Response {
    let range = request.headers().get("range").and_then(|range| range.to_str().ok()).map(str::to_owned);
    let call =
        BucketCall { method: request.method().to_string(), path: request.uri().path().to_owned(), range };
    let (reads, path) = (call.method == "GET", call.path.clone());
    let delay = {
        let mut script = served.script();
        script.calls.push(call);
        if script.to_refuse > 0 {
            script.to_refuse -= 1;
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        script.in_flight += 1;
        script.most_in_flight = script.most_in_flight.max(script.in_flight);
        script.delay
    };
    tokio::time::sleep(delay).await;
    let response = match served.has_bucket(&path) {
        true => served.service.clone().oneshot(request).await.expect("the server answers").map(Body::new),
        // The folders would be made with the first object.
        false => (StatusCode::NOT_FOUND, "<Error><Code>NoSuchBucket</Code></Error>").into_response(),
    };
    let breaks_off = {
        let mut script = served.script();
        script.in_flight -= 1;
        let left =
            script.to_break_off.iter_mut().find(|(file, left)| reads && path.ends_with(**file) && **left > 0);
        left.map(|(_, left)| *left -= 1).is_some()
    };
    if breaks_off { broken_off(response).await } else { response }
}

async fn broken_off(response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let half = bytes.slice(..bytes.len() / 2);
    let pieces = stream::iter([Ok(half), Err(io::Error::other("broken off"))]).then(|piece| async move {
        if piece.is_err() {
            // Until then the half has left.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        piece
    });
    Response::from_parts(parts, Body::from_stream(pieces))
}
