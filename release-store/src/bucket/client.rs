//! A bucket, and how small objects of it are read and written.

use std::path::Path;
use std::time::Duration;

use aws_config::SdkConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::{Builder, ResponseChecksumValidation};
use aws_sdk_s3::primitives::ByteStream;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use shared::aws::{LocalEndpoint, sdk_config};
use tokio::time::timeout;

use super::error::{BucketError, BucketFailure};
use super::pace::Pace;
use super::tries::Tries;

/// The largest object that is read into memory, in bytes.
pub(crate) const MAX_READ_BYTES: usize = 1024 * 1024;

/// The access key id that a local stand-in is called with.
const STAND_IN_KEY: &str = "local";

/// How buckets are reached.
#[derive(Clone, Debug)]
pub struct BucketConnection {
    /// A local stand-in's address; `None` for the cloud's, found by region.
    pub endpoint: Option<String>,
    /// The region and credentials for the cloud, in place of those that Lambda puts into the environment.
    pub cloud: Option<SdkConfig>,
    /// How long one try may take until its answer begins, how long the answer may stand still, and how long
    /// it may be too slow.
    pub attempt_timeout: Duration,
    /// The HTTP client to use in place of the ordinary one.
    pub http_client: Option<SharedHttpClient>,
}

impl Default for BucketConnection {
    fn default() -> Self {
        Self { endpoint: None, cloud: None, attempt_timeout: Duration::from_secs(2), http_client: None }
    }
}

#[derive(Clone, Debug)]
pub struct Bucket {
    name: String,
    /// Never retries: for reads, whose answers may break off after the SDK takes them for whole.
    pub(super) once: Client,
    /// Retries by itself, and has no limit for one try: for the operator's uploads, however slow the line.
    patient: Client,
    attempt_timeout: Duration,
}

impl Bucket {
    /// Makes the clients; nothing is sent yet.
    pub fn connect(connection: &BucketConnection, name: impl Into<String>) -> Self {
        let BucketConnection { endpoint, cloud, attempt_timeout, http_client } = connection;
        let stand_in =
            endpoint.clone().map(|url| LocalEndpoint { url, access_key_id: STAND_IN_KEY.to_owned() });
        let sdk = sdk_config(&stand_in, cloud, http_client);
        let patient = Builder::from(&sdk)
            // A stand-in has one name for all of its buckets.
            .force_path_style(endpoint.is_some())
            // What is read is held to the sums of a manifest.
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
            .retry_config(RetryConfig::standard().with_max_attempts(4))
            .timeout_config(TimeoutConfig::builder().connect_timeout(*attempt_timeout).build())
            .build();
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(1).min(*attempt_timeout))
            .operation_attempt_timeout(*attempt_timeout);
        let once = patient
            .to_builder()
            .retry_config(RetryConfig::disabled())
            .timeout_config(timeouts.build())
            .build();
        Self {
            name: name.into(),
            once: Client::from_conf(once),
            patient: Client::from_conf(patient),
            attempt_timeout: *attempt_timeout,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a small object.
    ///
    /// # Errors
    ///
    /// When it is not there, has more than 1 MiB, or cannot be read.
    pub async fn read(&self, key: &str) -> Result<Vec<u8>, BucketError> {
        let mut tries = Tries::default();
        loop {
            match self.try_to_read(key).await {
                Ok(bytes) => return Ok(bytes),
                Err(failure) => {
                    tries.again_after(failure).await.map_err(|failure| self.error(key, failure))?
                }
            }
        }
    }

    /// Returns the length of an object, in bytes; `None` when it is not there.
    ///
    /// # Errors
    ///
    /// When the bucket does not say.
    pub async fn length(&self, key: &str) -> Result<Option<u64>, BucketError> {
        let mut tries = Tries::default();
        loop {
            match self
                .once
                .head_object()
                .bucket(&self.name)
                .key(key)
                .send()
                .await
                .map_err(BucketFailure::from)
            {
                Ok(answer) => {
                    return Ok(answer.content_length().and_then(|length| u64::try_from(length).ok()));
                }
                Err(BucketFailure::Missing) => return Ok(None),
                Err(failure) => {
                    tries.again_after(failure).await.map_err(|failure| self.error(key, failure))?
                }
            }
        }
    }

    /// Uploads a file, in place of the object that may be there.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the bucket does not take it.
    pub async fn upload(&self, key: &str, path: &Path) -> Result<(), BucketError> {
        let body = ByteStream::from_path(path).await.map_err(|error| {
            self.error(key, BucketFailure::UnreadableFile { path: path.to_owned(), why: error.to_string() })
        })?;
        let sent = self.patient.put_object().bucket(&self.name).key(key).body(body).send().await;
        sent.map(drop).map_err(|error| self.error(key, error.into()))
    }

    /// Creates a small object.
    ///
    /// # Errors
    ///
    /// When it is there already, or the bucket does not take it.
    pub async fn create(&self, key: &str, bytes: Vec<u8>) -> Result<(), BucketError> {
        let mut tries = Tries::default();
        loop {
            let new = self.patient.put_object().bucket(&self.name).key(key).if_none_match("*");
            match new.body(bytes.clone().into()).send().await.map_err(BucketFailure::from) {
                Ok(_) => return Ok(()),
                // Somebody creates it at the same moment: the SDK does not try that again.
                Err(failure) => {
                    tries.again_after(failure).await.map_err(|failure| self.error(key, failure))?;
                }
            }
        }
    }

    async fn try_to_read(&self, key: &str) -> Result<Vec<u8>, BucketFailure> {
        let answer = self.once.get_object().bucket(&self.name).key(key).send().await?;
        let mut bytes = Vec::new();
        let take = |chunk: &[u8]| {
            bytes.extend_from_slice(chunk);
            if bytes.len() > MAX_READ_BYTES { Err(BucketFailure::TooLarge(MAX_READ_BYTES)) } else { Ok(()) }
        };
        self.receive(answer.body, take).await?;
        Ok(bytes)
    }

    /// Hands on what arrives, for as long as enough does.
    pub(super) async fn receive(
        &self,
        mut body: ByteStream,
        mut take: impl FnMut(&[u8]) -> Result<(), BucketFailure>,
    ) -> Result<(), BucketFailure> {
        let mut pace = Pace::over(self.attempt_timeout);
        loop {
            match timeout(self.attempt_timeout, body.next()).await {
                Ok(Some(Ok(chunk))) => {
                    take(&chunk)?;
                    pace.arrived(chunk.len())?;
                }
                Ok(None) => return Ok(()),
                Ok(Some(Err(_))) => return Err(broken_off()),
                Err(_late) => return Err(BucketFailure::Unavailable("the answer stands still".to_owned())),
            }
        }
    }

    pub(super) fn error(&self, key: &str, failure: BucketFailure) -> BucketError {
        BucketError { bucket: self.name.clone(), key: key.to_owned(), failure }
    }
}

pub(super) fn broken_off() -> BucketFailure {
    BucketFailure::Unavailable("the answer broke off".to_owned())
}
