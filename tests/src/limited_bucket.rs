//! An S3 server behind a network with limited bandwidth, for measuring cold starts.
//!
//! It runs on its own thread and serves its buckets read-only, without authentication.

use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use futures_util::{Stream, stream};
use http::{HeaderMap, Method, StatusCode, header};
use release_store::BucketConnection;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until};

/// The maximum chunk size, in bytes.
const MAX_PER_CHUNK: u64 = 64 * 1024;

/// The maximum time by which a chunk's start is backdated, to make up for timers that fire late. Timers have
/// a resolution of one millisecond.
const SLACK: Duration = Duration::from_millis(5);

/// The delay before a connection breaks, so that the data sent so far reaches the client.
const BEFORE_BREAK: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The bandwidth that all responses share.
    pub bytes_per_second: u64,
    /// The time from a request to the first byte of the response.
    pub first_byte: Duration,
    /// The number of body bytes after which a connection breaks, or `None` for a reliable network.
    pub breaks_after: Option<u64>,
}

/// An S3 server that reads each bucket from a subfolder.
pub struct LimitedBucketServer {
    endpoint: String,
    served: Arc<Served>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Served {
    root: PathBuf,
    line: Line,
    sent: AtomicU64,
}

/// The queue of chunks to be sent, shared by all responses.
struct Line {
    network: Network,
    /// When all queued chunks will have been sent.
    free_at: Mutex<Instant>,
}

/// A response body that is being sent.
struct Sending {
    served: Arc<Served>,
    file: File,
    start: u64,
    at: u64,
    end: u64,
}

impl LimitedBucketServer {
    /// Starts a server for the buckets in a folder.
    pub fn start(root: &Path, network: Network) -> Self {
        let served =
            Arc::new(Served { root: root.to_owned(), line: Line::new(network), sent: AtomicU64::new(0) });
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(answer).with_state(served.clone());
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                // Disables Nagle's algorithm. Otherwise, the end of a body would wait for an acknowledgment.
                let listener = tokio::net::TcpListener::from_std(listener)
                    .expect("a socket")
                    .tap_io(|connection| connection.set_nodelay(true).expect("a connection"));
                tokio::select! {
                    _ = axum::serve(listener, router) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { endpoint, served, stop: Some(stop), thread: Some(thread) }
    }

    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Returns settings for connecting to this server, with short timeouts.
    pub fn connection(&self) -> BucketConnection {
        BucketConnection {
            endpoint: Some(self.endpoint.clone()),
            attempt_timeout: Duration::from_secs(1),
            ..BucketConnection::default()
        }
    }

    /// Returns the number of body bytes sent since the previous call.
    pub fn take_sent(&self) -> u64 {
        self.served.sent.swap(0, Ordering::Relaxed)
    }
}

impl Drop for LimitedBucketServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Line {
    fn new(network: Network) -> Self {
        Self { network, free_at: Mutex::new(Instant::now()) }
    }

    /// Returns the number of bytes in a chunk, which takes about a millisecond to send.
    fn piece(&self) -> u64 {
        (self.network.bytes_per_second / 1_000).clamp(1, MAX_PER_CHUNK)
    }

    /// Queues a chunk and waits until it has been sent.
    async fn pass(&self, bytes: u64) {
        let takes = Duration::from_secs_f64(bytes as f64 / self.network.bytes_per_second as f64);
        let passed = {
            let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            *free_at = (*free_at).max(now.checked_sub(SLACK).unwrap_or(now)) + takes;
            *free_at
        };
        sleep_until(passed).await;
    }
}

async fn answer(State(served): State<Arc<Served>>, request: Request) -> Response {
    sleep(served.line.network.first_byte).await;
    let path = request.uri().path().trim_start_matches('/');
    let opened = File::open(served.root.join(path)).and_then(|file| Ok((file.metadata()?, file)));
    let (bytes, file) = match opened {
        Ok((metadata, file)) if metadata.is_file() => (metadata.len(), file),
        _ => return (StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>").into_response(),
    };
    let (status, start, end) = match range(request.headers()) {
        None => (StatusCode::OK, 0, bytes),
        Some((start, last)) if start <= last && start < bytes => {
            (StatusCode::PARTIAL_CONTENT, start, bytes.min(last + 1))
        }
        Some(_) => return StatusCode::RANGE_NOT_SATISFIABLE.into_response(),
    };
    let mut headers = vec![(header::CONTENT_LENGTH, (end - start).to_string())];
    if status == StatusCode::PARTIAL_CONTENT {
        headers.push((header::CONTENT_RANGE, format!("bytes {start}-{}/{bytes}", end - 1)));
    }
    let body = match *request.method() {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(pieces(Sending { served, file, start, at: start, end })),
    };
    let mut response = (status, body).into_response();
    response
        .headers_mut()
        .extend(headers.into_iter().map(|(name, value)| (name, value.parse().expect("digits"))));
    response
}

/// Parses `bytes=FIRST-LAST`, the only form of range that clients send.
fn range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let text = headers.get(header::RANGE)?.to_str().ok()?;
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

fn pieces(sending: Sending) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(sending, async |mut sending| {
        let Sending { served, file, start, at, end } = &mut sending;
        if at == end {
            return Ok(None);
        }
        let bytes = served.line.piece().min(*end - *at);
        served.line.pass(bytes).await;
        if served.line.network.breaks_after.is_some_and(|most| *at - *start >= most) {
            sleep(BEFORE_BREAK).await;
            return Err(io::Error::other("broken off"));
        }
        let mut piece = vec![0; usize::try_from(bytes).expect("a chunk fits in memory")];
        file.read_exact_at(&mut piece, *at)?;
        *at += bytes;
        served.sent.fetch_add(bytes, Ordering::Relaxed);
        Ok(Some((Bytes::from(piece), sending)))
    })
}
