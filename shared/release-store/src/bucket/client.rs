//! A client for the few S3 REST operations that releases need.
//!
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html>
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use aws::{CONNECT_TIMEOUT, LocalEndpoint, Signer, SigningError, https_connector, sdk_config};
use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use dataset::sha256_of_file;
use http::header::{CONTENT_LENGTH, IF_NONE_MATCH};
use http::{HeaderName, HeaderValue, Method, request};
use http_body_util::BodyExt;
use ring::digest::{SHA256, digest};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::address::BucketAddress;
use super::error::{BucketError, BucketFailure};
use crate::verify::blocking;

/// The maximum size of an object that [`Bucket::read`] reads into memory, in bytes.
pub(crate) const MAX_READ_BYTES: usize = 1024 * 1024;

/// The access key ID for a local stand-in for S3.
const STAND_IN_KEY: &str = "local";

/// The SHA-256 digest of an empty body.
const EMPTY_SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The header that names the AWS account that must own the bucket. Without it, another account could take
/// over the name of a deleted bucket and receive the requests.
const EXPECTED_OWNER: HeaderName = HeaderName::from_static("x-amz-expected-bucket-owner");

/// The minimum transfer rate of a response, in bytes per second. A 3 Mbit/s connection is fast enough for all
/// responses that a cold start reads concurrently.
const SLOWEST: u32 = 32 * 1024;

/// The maximum number of attempts for an operation.
const ATTEMPTS: u32 = 5;

/// The pause before the second attempt.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The pause before an upload's second attempt. It can be longer than for other operations, because no caller
/// is waiting for a response.
const FIRST_LONG_PAUSE: Duration = Duration::from_millis(500);

/// How many times longer an upload can stall than a response. S3 responds only after it has stored the whole
/// object.
const UPLOAD_PATIENCE: u32 = 10;

/// The connection settings for buckets.
#[derive(Clone, Debug)]
pub struct BucketConnection {
    /// The URL of a local stand-in for S3. `None` means AWS, where the URL depends on the region.
    pub endpoint: Option<String>,
    /// The region and credentials for AWS. `None` means those in Lambda's environment variables.
    pub cloud: Option<SdkConfig>,
    /// How long an attempt to read waits for the response headers, and then how long the body can stall or
    /// stay below the minimum rate. Uploads can stall ten times as long.
    pub attempt_timeout: Duration,
    /// A custom HTTP connector, which replaces the default one.
    pub connector: Option<SharedHttpConnector>,
}

impl Default for BucketConnection {
    fn default() -> Self {
        Self { endpoint: None, cloud: None, attempt_timeout: Duration::from_secs(2), connector: None }
    }
}

#[derive(Clone)]
pub struct Bucket {
    name: String,
    pub(super) address: BucketAddress,
    signer: Arc<Signer>,
    connector: SharedHttpConnector,
    attempt_timeout: Duration,
}

impl Bucket {
    /// Creates a client for a bucket without sending a request.
    pub fn connect(connection: &BucketConnection, name: impl Into<String>) -> Self {
        let BucketConnection { endpoint, cloud, attempt_timeout, connector } = connection;
        let stand_in =
            endpoint.clone().map(|url| LocalEndpoint { url, access_key_id: STAND_IN_KEY.to_owned() });
        let sdk = sdk_config(&stand_in, cloud, &None);
        let connect_timeout = CONNECT_TIMEOUT.min(*attempt_timeout);
        let (name, signer) = (name.into(), Signer::new("s3", &sdk));
        Self {
            address: BucketAddress::new(&name, sdk.endpoint_url(), signer.region()),
            name,
            signer: Arc::new(signer),
            connector: connector.clone().unwrap_or_else(|| https_connector(connect_timeout)),
            attempt_timeout: *attempt_timeout,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a small object. Returns an error if the object doesn't exist, exceeds 1 MiB, or can't be read.
    pub async fn read(&self, key: &str) -> Result<Vec<u8>, BucketError> {
        self.retry(key, FIRST_PAUSE, || self.try_to_read(key)).await
    }

    /// Returns an object's length in bytes, or `None` if the object doesn't exist or the response doesn't
    /// include its length.
    pub async fn length(&self, key: &str) -> Result<Option<u64>, BucketError> {
        match self.retry(key, FIRST_PAUSE, || self.ask(self.request(Method::HEAD, key))).await {
            Ok(answer) => Ok(answer.headers().get(CONTENT_LENGTH).and_then(|length| length.parse().ok())),
            Err(BucketError { failure: BucketFailure::Missing, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Uploads a file and replaces any existing object. Returns an error if the file can't be read or the
    /// upload fails.
    pub async fn upload(&self, key: &str, path: &Path) -> Result<(), BucketError> {
        let unreadable =
            |why: io::Error| BucketFailure::UnreadableFile { path: path.to_owned(), why: why.to_string() };
        let summed = path.to_owned();
        let sum = blocking(move || sha256_of_file(&summed)).await;
        let sum = sum.map_err(|error| self.error(key, unreadable(error)))?;
        let (unreadable, sum) = (&unreadable, &sum);
        self.retry(key, FIRST_LONG_PAUSE, || async move {
            let body =
                ByteStream::from_path(path).await.map_err(|error| unreadable(io::Error::other(error)))?;
            self.put(self.request(Method::PUT, key), body.into_inner(), sum).await
        })
        .await
    }

    /// Creates a small object. Returns an error if the object already exists or can't be created.
    pub async fn create(&self, key: &str, bytes: Vec<u8>) -> Result<(), BucketError> {
        let sum = hex::encode(digest(&SHA256, &bytes));
        self.retry(key, FIRST_LONG_PAUSE, || {
            let request = self.request(Method::PUT, key).header(IF_NONE_MATCH, "*");
            self.put(request, bytes.clone().into(), &sum)
        })
        .await
    }

    fn error(&self, key: &str, failure: BucketFailure) -> BucketError {
        BucketError { bucket: self.name.clone(), key: key.to_owned(), failure }
    }

    /// Makes a call, and retries it while the bucket is unavailable, with up to [`ATTEMPTS`] attempts in
    /// total. The pause doubles after each attempt.
    pub(super) async fn retry<T, F: Future<Output = Result<T, BucketFailure>>>(
        &self,
        key: &str,
        first_pause: Duration,
        call: impl Fn() -> F,
    ) -> Result<T, BucketError> {
        for failed in 0..ATTEMPTS - 1 {
            match call().await {
                Err(BucketFailure::Unavailable(_)) => sleep(first_pause * 2_u32.pow(failed)).await,
                made => return made.map_err(|failure| self.error(key, failure)),
            }
        }
        call().await.map_err(|failure| self.error(key, failure))
    }

    async fn try_to_read(&self, key: &str) -> Result<Vec<u8>, BucketFailure> {
        self.read_answer(self.request(Method::GET, key)).await
    }

    /// Sends a request and reads the response body into memory.
    pub(super) async fn read_answer(&self, request: request::Builder) -> Result<Vec<u8>, BucketFailure> {
        let answer = self.ask(request).await?;
        let mut bytes = Vec::new();
        let take = |chunk: &[u8]| {
            bytes.extend_from_slice(chunk);
            if bytes.len() > MAX_READ_BYTES { Err(BucketFailure::TooLarge(MAX_READ_BYTES)) } else { Ok(()) }
        };
        self.receive(answer, take).await?;
        Ok(bytes)
    }

    /// Passes a response body to `take` in chunks. Returns an error if the response is interrupted, the
    /// transfer is slower than [`SLOWEST`], or `take` fails.
    pub(super) async fn receive(
        &self,
        answer: HttpResponse,
        mut take: impl FnMut(&[u8]) -> Result<(), BucketFailure>,
    ) -> Result<(), BucketFailure> {
        let mut body = ByteStream::new(answer.into_body());
        let (mut window_end, mut in_window) = (Instant::now() + self.attempt_timeout, 0);
        loop {
            match timeout_at(window_end, body.next()).await {
                Ok(Some(Ok(chunk))) => {
                    take(&chunk)?;
                    in_window += chunk.len();
                }
                Ok(None) => return Ok(()),
                Ok(Some(Err(_))) => return Err(interrupted()),
                Err(_) if (in_window as f64) < f64::from(SLOWEST) * self.attempt_timeout.as_secs_f64() => {
                    let why = format!("the response is slower than {SLOWEST} bytes per second");
                    return Err(BucketFailure::Unavailable(why));
                }
                Err(_) => (window_end, in_window) = (Instant::now() + self.attempt_timeout, 0),
            }
        }
    }

    /// Sends a request with a body. The upload can be slow, but fails if it stalls.
    async fn put(&self, request: request::Builder, body: SdkBody, sha256: &str) -> Result<(), BucketFailure> {
        let length = body.content_length().unwrap_or_default();
        let moved = Arc::new(AtomicU64::new(0));
        let counted = moved.clone();
        let body = body.inspect_frame(move |frame| {
            let bytes = frame.data_ref().map_or(0, |chunk| chunk.len() as u64);
            counted.fetch_add(bytes, Ordering::Relaxed);
        });
        let request = request.header(CONTENT_LENGTH, length);
        let mut sending = std::pin::pin!(self.send(request, SdkBody::from_body_1_x(body), sha256));
        let standstill = self.attempt_timeout * UPLOAD_PATIENCE;
        let mut before = None;
        loop {
            if let Ok(answer) = timeout(standstill, &mut sending).await {
                return answer.map(drop);
            }
            let now = Some(moved.load(Ordering::Relaxed));
            if now == before {
                return Err(BucketFailure::Unavailable("the upload has stalled".to_owned()));
            }
            before = now;
        }
    }

    /// Sends a request without a body and waits for the response headers.
    pub(super) async fn ask(&self, request: request::Builder) -> Result<HttpResponse, BucketFailure> {
        let answer = self.send(request, SdkBody::empty(), EMPTY_SHA256);
        let late = |_| BucketFailure::Unavailable("no response in time".to_owned());
        timeout(self.attempt_timeout, answer).await.map_err(late)?
    }

    /// Signs and sends a request. If the credentials include an account ID, only a bucket in that account
    /// accepts the request.
    async fn send(
        &self,
        request: request::Builder,
        body: SdkBody,
        sha256: &str,
    ) -> Result<HttpResponse, BucketFailure> {
        let invalid = SigningError::InvalidRequest;
        let mut request = request.body(body).map_err(|_| invalid)?;
        let credentials = self.signer.credentials().await?;
        if let Some(account) = credentials.account_id() {
            let account = HeaderValue::from_str(account.as_str()).map_err(|_| invalid)?;
            request.headers_mut().insert(EXPECTED_OWNER, account);
        }
        let request = self.signer.sign(request, sha256, credentials)?;
        let answer = self.connector.call(request).await?;
        if answer.status().is_success() { Ok(answer) } else { Err(BucketFailure::of_answer(answer).await) }
    }

    pub(super) fn request(&self, method: Method, key: &str) -> request::Builder {
        http::Request::builder().method(method).uri(self.address.of(key))
    }
}

pub(super) fn interrupted() -> BucketFailure {
    BucketFailure::Unavailable("the response was interrupted".to_owned())
}
