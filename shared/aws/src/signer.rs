//! Signs requests with AWS Signature Version 4, using the AWS SDK's signing crate.

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
use thiserror::Error;
use tokio::sync::Mutex;

/// The time before expiry at which cached credentials are renewed.
const RENEWED_BEFORE: Duration = Duration::from_secs(5 * 60);

/// The reason that a request can't be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SigningError {
    #[error("no AWS credentials were found")]
    NoCredentials,
    #[error("the request could not be built")]
    InvalidRequest,
}

/// Signs requests to an AWS service.
pub struct Signer {
    /// The service's name in signatures, such as `s3`.
    service: &'static str,
    region: String,
    provider: Option<SharedCredentialsProvider>,
    /// The cached credentials. Without this cache, some providers would call a service for each request.
    found: Mutex<Option<Credentials>>,
}

impl Signer {
    pub fn new(service: &'static str, sdk: &SdkConfig) -> Self {
        let region = sdk.region().map(ToString::to_string).unwrap_or_default();
        Self { service, region, provider: sdk.credentials_provider(), found: Mutex::default() }
    }

    pub fn region(&self) -> &str {
        &self.region
    }

    /// Returns credentials. Gets new ones from the provider if none are cached or the cached ones expire
    /// within 5 minutes.
    pub async fn credentials(&self) -> Result<Credentials, SigningError> {
        let mut found = self.found.lock().await;
        let soon = SystemTime::now() + RENEWED_BEFORE;
        if let Some(known) = found.as_ref().filter(|known| known.expiry().is_none_or(|end| end > soon)) {
            return Ok(known.clone());
        }
        let provider = self.provider.as_ref().ok_or(SigningError::NoCredentials)?;
        let fresh = provider.provide_credentials().await.map_err(|_| SigningError::NoCredentials)?;
        Ok(found.insert(fresh).clone())
    }

    /// Signs a request. `sha256` is the request body's SHA-256 digest in hexadecimal. The path is signed as
    /// it is, without normalization.
    pub fn sign(
        &self,
        mut request: http::Request<SdkBody>,
        sha256: &str,
        credentials: Credentials,
    ) -> Result<HttpRequest, SigningError> {
        let invalid = SigningError::InvalidRequest;
        let identity = credentials.into();
        let mut settings = SigningSettings::default();
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        let params = SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(self.service)
            .time(SystemTime::now())
            .settings(settings)
            .build()
            .map_err(|_| invalid)?
            .into();
        let (method, uri) = (request.method().to_string(), request.uri().to_string());
        let headers = request.headers().iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let signable =
            SignableRequest::new(&method, uri, headers, SignableBody::Precomputed(sha256.to_owned()));
        let signed = signable.and_then(|request| sign(request, &params)).map_err(|_| invalid)?;
        signed.into_parts().0.apply_to_request_http1x(&mut request);
        HttpRequest::try_from(request).map_err(|_| invalid)
    }
}
