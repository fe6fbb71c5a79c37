//! Signs requests to S3 with AWS Signature Version 4, using the signing crate of the AWS SDK.

use std::time::{Duration, SystemTime};

use aws_config::SdkConfig;
use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings,
    UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4::SigningParams;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use http::{HeaderName, HeaderValue};
use tokio::sync::Mutex;

use super::error::BucketFailure;

/// Credentials are renewed this long before they expire.
const RENEWED_BEFORE: Duration = Duration::from_secs(5 * 60);

/// The header with the account that must own the bucket. S3 denies access if another account owns it, for
/// example because that account took the name of a deleted bucket.
const EXPECTED_OWNER: HeaderName = HeaderName::from_static("x-amz-expected-bucket-owner");

/// Signs requests with the credentials of one provider.
pub(super) struct Signer {
    pub(super) region: String,
    provider: Option<SharedCredentialsProvider>,
    /// The cached credentials. Without a cache, a provider could call a service for each request.
    found: Mutex<Option<Credentials>>,
}

impl Signer {
    pub(super) fn new(sdk: &SdkConfig) -> Self {
        let region = sdk.region().map(ToString::to_string).unwrap_or_default();
        Self { region, provider: sdk.credentials_provider(), found: Mutex::default() }
    }

    /// Signs a request. If the credentials contain their account, the request is restricted to buckets of
    /// this account. `sha256` is the SHA-256 digest of the request body, in hexadecimal.
    pub(super) async fn sign(
        &self,
        mut request: http::Request<SdkBody>,
        sha256: &str,
    ) -> Result<HttpRequest, BucketFailure> {
        let credentials = self.credentials().await?;
        if let Some(account) = credentials.account_id() {
            let account = HeaderValue::from_str(account.as_str()).map_err(|_| unbuildable())?;
            request.headers_mut().insert(EXPECTED_OWNER, account);
        }
        let identity = credentials.into();
        let mut settings = SigningSettings::default();
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        let params = SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name("s3")
            .time(SystemTime::now())
            .settings(settings)
            .build()
            .map_err(|_| unbuildable())?
            .into();
        let (method, uri) = (request.method().to_string(), request.uri().to_string());
        let headers = request.headers().iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let signable =
            SignableRequest::new(&method, uri, headers, SignableBody::Precomputed(sha256.to_owned()));
        let signed = signable.and_then(|request| sign(request, &params)).map_err(|_| unbuildable())?;
        signed.into_parts().0.apply_to_request_http1x(&mut request);
        HttpRequest::try_from(request).map_err(|_| unbuildable())
    }

    async fn credentials(&self) -> Result<Credentials, BucketFailure> {
        let mut found = self.found.lock().await;
        let soon = SystemTime::now() + RENEWED_BEFORE;
        if let Some(known) = found.as_ref().filter(|known| known.expiry().is_none_or(|end| end > soon)) {
            return Ok(known.clone());
        }
        let none = || BucketFailure::Refused("no AWS credentials were found".to_owned());
        let provider = self.provider.as_ref().ok_or_else(none)?;
        let fresh = provider.provide_credentials().await.map_err(|_| none())?;
        Ok(found.insert(fresh).clone())
    }
}

pub(super) fn unbuildable() -> BucketFailure {
    BucketFailure::Refused("the request could not be built".to_owned())
}
