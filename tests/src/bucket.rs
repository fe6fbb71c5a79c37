//! A local S3 server that stores objects in a folder and can corrupt, delay, or refuse responses.

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

/// The delay between two chunks of a slow response.
const SLOW_PAUSE: Duration = Duration::from_millis(20);

/// An S3 server that stores each bucket in a subfolder.
pub struct BucketServer {
    endpoint: String,
    state: Arc<Served>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketCall {
    pub method: String,
    /// The bucket and the key, as in `/bucket/key`.
    pub path: String,
    /// The value of the `Range` header.
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
    /// The corruption and the number of responses to corrupt, by file name prefix.
    to_corrupt: BTreeMap<&'static str, (Corruption, usize)>,
    to_refuse: usize,
    to_conflict: usize,
    delay: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corruption {
    /// The connection breaks halfway through the body.
    BrokenOff,
    /// The body stalls halfway while the connection stays open.
    Still,
    /// The body arrives slowly: 100 bytes every 20 ms.
    Slow,
    /// One bit in the middle of the body is flipped.
    Altered,
}

impl BucketServer {
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

    /// Returns settings for connecting to this server, with short timeouts.
    pub fn connection(&self) -> BucketConnection {
        BucketConnection {
            endpoint: Some(self.endpoint.clone()),
            attempt_timeout: Duration::from_secs(5),
            ..BucketConnection::default()
        }
    }

    pub fn create_bucket(&self, name: &str) {
        std::fs::create_dir(self.state.root.join(name)).expect("a new bucket");
    }

    /// Returns the path of the file that stores an object, so that tests can read, alter, or delete it.
    pub fn object(&self, bucket: &str, key: &str) -> PathBuf {
        self.state.root.join(bucket).join(key)
    }

    /// Corrupts the next `answers` responses to requests for objects whose file name starts with `file`.
    pub fn corrupt(&self, file: &'static str, corruption: Corruption, answers: usize) {
        self.script().to_corrupt.insert(file, (corruption, answers));
    }

    pub fn refuse(&self, calls: usize) {
        self.script().to_refuse = calls;
    }

    /// Rejects the next `calls` conditional creates with a conflict, as if another client were writing the
    /// same object.
    pub fn conflict(&self, calls: usize) {
        self.script().to_conflict = calls;
    }

    pub fn delay(&self, delay: Duration) {
        self.script().delay = delay;
    }

    /// Returns the requests received since the last call of `take`.
    pub fn take(&self) -> Vec<BucketCall> {
        std::mem::take(&mut self.script().calls)
    }

    /// Returns the highest number of concurrent requests so far.
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
    let creates = request.headers().contains_key("if-none-match");
    let (reads, path) = (call.method == "GET", call.path.clone());
    let delay = {
        let mut script = served.script();
        script.calls.push(call);
        if script.to_refuse > 0 {
            script.to_refuse -= 1;
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        if creates && script.to_conflict > 0 {
            script.to_conflict -= 1;
            let text = "<Error><Code>ConditionalRequestConflict</Code></Error>";
            return (StatusCode::CONFLICT, text).into_response();
        }
        script.in_flight += 1;
        script.most_in_flight = script.most_in_flight.max(script.in_flight);
        script.delay
    };
    tokio::time::sleep(delay).await;
    let response = match served.has_bucket(&path) {
        true => served.service.clone().oneshot(request).await.expect("the server answers").map(Body::new),
        // Checked here because the file system would create the bucket's folder along with its first object.
        false => (StatusCode::NOT_FOUND, "<Error><Code>NoSuchBucket</Code></Error>").into_response(),
    };
    let corruption = {
        let mut script = served.script();
        script.in_flight -= 1;
        let mut named = script.to_corrupt.iter_mut();
        let corruption =
            named.find(|(file, (_, left))| reads && path.contains(&format!("/{file}")) && *left > 0);
        corruption.map(|(_, (corruption, left))| {
            *left -= 1;
            *corruption
        })
    };
    match corruption {
        Some(corruption) => corrupt(response, corruption).await,
        None => response,
    }
}

async fn corrupt(response: Response, corruption: Corruption) -> Response {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let middle = bytes.len() / 2;
    let (pieces, pause) = match corruption {
        // Gives the client time to receive the first half before the connection breaks.
        Corruption::BrokenOff => {
            (vec![Ok(bytes.slice(..middle)), Err(io::Error::other("broken off"))], Duration::from_millis(50))
        }
        Corruption::Still => {
            (vec![Ok(bytes.slice(..middle)), Ok(bytes.slice(middle..))], Duration::from_secs(3_600))
        }
        Corruption::Slow => (bytes.chunks(100).map(|chunk| Ok(bytes.slice_ref(chunk))).collect(), SLOW_PAUSE),
        Corruption::Altered => {
            let mut altered = bytes.to_vec();
            altered[middle] ^= 1;
            (vec![Ok(altered.into())], Duration::ZERO)
        }
    };
    let pieces = stream::iter(pieces.into_iter().enumerate()).then(move |(index, piece)| async move {
        if index > 0 {
            tokio::time::sleep(pause).await;
        }
        piece
    });
    Response::from_parts(parts, Body::from_stream(pieces))
}
