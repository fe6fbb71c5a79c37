//! Requests to S3: their addresses, signatures, and bodies, and how responses are interpreted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::future::ProvideCredentials as Provided;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use harness::sha256;
use http_body_util::BodyExt;
use release_store::{Bucket, BucketConnection, BucketFailure};

use super::Scratch;

const SECRET: &str = "wJalrXUtnFEMIsecret";
const TOKEN: &str = "IQoJb3JpZ2luX2VjEXAMPLETOKEN";

#[derive(Clone, Copy)]
enum Answer {
    Status(u16, &'static str),
    /// The connection breaks without a response.
    Broken,
    /// The request body isn't read, and no response is sent.
    Silence,
}

/// A request as the simulated S3 received it.
#[derive(Clone, Debug)]
struct Call {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Call {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A simulated S3. It returns the given answers in order, and then a 200 for all later requests.
#[derive(Clone, Default)]
struct Cloud {
    calls: Arc<Mutex<Vec<Call>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
}

impl std::fmt::Debug for Cloud {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cloud")
    }
}

impl HttpConnector for Cloud {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let cloud = self.clone();
        HttpConnectorFuture::new(async move {
            let answer = cloud.answers.lock().expect("answers").pop_front();
            let line = format!("{} {}", request.method(), request.uri());
            let headers =
                request.headers().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let mut call = Call { line, headers, body: Vec::new() };
            if matches!(answer, Some(Answer::Silence)) {
                cloud.calls.lock().expect("calls").push(call);
                return std::future::pending().await;
            }
            call.body = request.into_body().collect().await.expect("a body").to_bytes().into();
            cloud.calls.lock().expect("calls").push(call);
            match answer.unwrap_or(Answer::Status(200, "")) {
                Answer::Status(status, body) => {
                    Ok(HttpResponse::new(status.try_into().expect("a status"), SdkBody::from(body)))
                }
                Answer::Broken | Answer::Silence => Err(ConnectorError::io("broken".into())),
            }
        })
    }
}

impl Cloud {
    fn answering(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self { answers: Arc::new(Mutex::new(answers.into_iter().collect())), ..Self::default() }
    }

    /// Connects to a bucket with temporary credentials, as Lambda does.
    fn bucket(&self, name: &str) -> Bucket {
        self.bucket_as(name, Credentials::new("AKIAOURS", SECRET, Some(TOKEN.to_owned()), None, "test"))
    }

    fn bucket_as(&self, name: &str, credentials: impl ProvideCredentials + 'static) -> Bucket {
        let cloud = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-west-1"))
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .build();
        let connection = BucketConnection {
            cloud: Some(cloud),
            attempt_timeout: Duration::from_millis(20),
            connector: Some(SharedHttpConnector::new(self.clone())),
            ..BucketConnection::default()
        };
        Bucket::connect(&connection, name)
    }

    fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls.lock().expect("calls"))
    }
}

#[tokio::test]
async fn requests_are_signed_for_the_region_with_the_session_token() {
    let cloud = Cloud::default();
    let bucket = cloud.bucket("releases");
    bucket.read("us 2026/manifest.json").await.expect("an object");
    bucket.length("us-2026/places.bin").await.expect("a length");
    let calls = cloud.take();
    assert_eq!(calls[0].line, "GET https://releases.s3.eu-west-1.amazonaws.com/us%202026/manifest.json");
    assert_eq!(calls[1].line, "HEAD https://releases.s3.eu-west-1.amazonaws.com/us-2026/places.bin");
    for call in &calls {
        let authorization = call.header("authorization").expect("a signature");
        assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=AKIAOURS/"), "{authorization}");
        assert!(authorization.contains("/eu-west-1/s3/aws4_request, SignedHeaders=host;"), "{authorization}");
        for signed in ["x-amz-content-sha256", "x-amz-date", "x-amz-security-token"] {
            assert!(authorization.contains(signed), "{signed}: {authorization}");
        }
        assert_eq!(call.header("x-amz-security-token"), Some(TOKEN));
        assert!(!format!("{call:?}").contains(SECRET));
    }
}

#[tokio::test]
async fn bucket_must_belong_to_the_account_of_the_credentials() {
    let named = Credentials::builder().access_key_id("AKIAOURS").secret_access_key(SECRET);
    let named = named.account_id("111122223333").provider_name("test").build();
    let unnamed = Credentials::new("AKIAOURS", SECRET, None, None, "test");
    for (credentials, owner) in [(named, Some("111122223333")), (unnamed, None)] {
        let cloud = Cloud::default();
        let bucket = cloud.bucket_as("releases", credentials);
        bucket.read("spring/manifest.json").await.expect("an object");
        bucket.length("spring/places.bin").await.expect("a length");
        bucket.create("spring/manifest.json", b"{}".to_vec()).await.expect("created");
        let calls = cloud.take();
        assert_eq!(calls.len(), 3);
        for call in calls {
            assert_eq!(call.header("x-amz-expected-bucket-owner"), owner, "{}", call.line);
            let signed = call.header("authorization").expect("a signature");
            assert_eq!(signed.contains("x-amz-expected-bucket-owner"), owner.is_some(), "{signed}");
        }
    }
}

#[tokio::test]
async fn uploads_have_their_length_and_digest() {
    let scratch = Scratch::new();
    let path = scratch.path("part");
    let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    std::fs::write(&path, &bytes).expect("written");
    let cloud = Cloud::default();
    let bucket = cloud.bucket("releases");
    bucket.upload("spring/part", &path).await.expect("the upload succeeds");
    bucket.create("spring/manifest.json", b"{}".to_vec()).await.expect("created");
    let calls = cloud.take();
    let [uploaded, created] = &calls[..] else { panic!("two calls") };
    let cases = [
        (uploaded, "spring/part", &bytes[..], None),
        (created, "spring/manifest.json", &b"{}"[..], Some("*")),
    ];
    for (call, key, body, if_none_match) in cases {
        assert_eq!(call.line, format!("PUT https://releases.s3.eu-west-1.amazonaws.com/{key}"));
        assert!(call.body == body, "{key}");
        assert_eq!(call.header("content-length"), Some(body.len().to_string().as_str()), "{key}");
        assert_eq!(call.header("x-amz-content-sha256"), Some(sha256(body).as_str()), "{key}");
        assert_eq!(call.header("if-none-match"), if_none_match, "{key}");
    }
}

#[tokio::test]
async fn failed_and_stalled_uploads_are_retried_from_the_start() {
    let scratch = Scratch::new();
    let path = scratch.path("part");
    std::fs::write(&path, "bytes of a part").expect("written");
    for first in
        [Answer::Broken, Answer::Silence, Answer::Status(503, "<Error><Code>SlowDown</Code></Error>")]
    {
        let cloud = Cloud::answering([first]);
        cloud.bucket("releases").upload("spring/part", &path).await.expect("the upload succeeds");
        let bodies: Vec<_> = cloud.take().into_iter().map(|call| call.body).collect();
        assert_eq!(bodies.len(), 2);
        assert_eq!(bodies[1], b"bytes of a part");
    }
}

#[tokio::test]
async fn status_and_error_code_determine_the_failure() {
    let said = |text: &str| text.to_owned();
    let cases = [
        (404, "<Error><Code>NoSuchKey</Code></Error>", BucketFailure::Missing),
        (404, "<Error><Code>NoSuchBucket</Code></Error>", BucketFailure::NoBucket),
        (403, "<Error><Code>AccessDenied</Code></Error>", BucketFailure::Forbidden(said("AccessDenied"))),
        (403, "", BucketFailure::Forbidden(said("status 403"))),
        (412, "<Error><Code>PreconditionFailed</Code></Error>", BucketFailure::AlreadyThere),
        (400, "<Error><Code>ExpiredToken</Code></Error>", BucketFailure::Refused(said("ExpiredToken"))),
        (400, "<Error><Code>AKIA/OURS</Code></Error>", BucketFailure::Refused(said("status 400"))),
        (
            301,
            "<?xml version=\"1.0\"?>\n<Error><Code>PermanentRedirect</Code><Message>…</Message></Error>",
            BucketFailure::Refused(said(
                "PermanentRedirect; the bucket is in a different region than AWS_REGION",
            )),
        ),
    ];
    for (status, body, failure) in cases {
        let cloud = Cloud::answering([Answer::Status(status, body)]);
        let error = cloud.bucket("releases").create("spring/manifest.json", Vec::new()).await;
        let error = error.expect_err("a failure");
        assert_eq!((error.failure, cloud.take().len()), (failure, 1), "{status} {body}");
    }
}

/// Credentials that expire after the given duration. The second field counts how often they were requested.
#[derive(Clone, Debug)]
struct Lasting(Duration, Arc<Mutex<usize>>);

impl ProvideCredentials for Lasting {
    fn provide_credentials<'a>(&'a self) -> Provided<'a>
    where
        Self: 'a,
    {
        *self.1.lock().expect("a count") += 1;
        let end = SystemTime::now() + self.0;
        Provided::ready(Ok(Credentials::new("AKIAOURS", SECRET, None, Some(end), "test")))
    }
}

#[tokio::test]
async fn credentials_are_cached_until_shortly_before_expiry() {
    for (lasting, asked) in [(Duration::from_secs(3600), 1), (Duration::from_secs(60), 3)] {
        let provider = Lasting(lasting, Arc::default());
        let bucket = Cloud::default().bucket_as("releases", provider.clone());
        for _ in 0..3 {
            bucket.read("spring/manifest.json").await.expect("an object");
        }
        assert_eq!(*provider.1.lock().expect("a count"), asked, "{lasting:?}");
    }
}

#[derive(Debug)]
struct NoCredentials;

impl ProvideCredentials for NoCredentials {
    fn provide_credentials<'a>(&'a self) -> Provided<'a>
    where
        Self: 'a,
    {
        Provided::ready(Err(CredentialsError::not_loaded("nowhere")))
    }
}

#[tokio::test]
async fn no_request_is_sent_without_credentials() {
    let cloud = Cloud::default();
    let error = cloud.bucket_as("releases", NoCredentials).read("spring/manifest.json").await;
    let error = error.expect_err("the call fails without credentials").to_string();
    assert!(error.contains("no AWS credentials were found"), "{error}");
    assert!(cloud.take().is_empty());
}
