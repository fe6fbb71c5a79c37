//! How AWS is reached: the SDK's settings and its TLS, for whoever calls AWS.

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// Returns the five root certificates that AWS services are signed under, as PEM.
///
/// Reading them from the binary spares a cold start the parsing of a system's whole certificate store.
pub fn amazon_roots() -> &'static [u8] {
    include_bytes!("amazon_roots.pem")
}

/// Describes who is called, and as whom: a local stand-in, the cloud that is given, or the cloud as Lambda sees it.
pub fn sdk_config(
    endpoint: &Option<String>,
    cloud: &Option<SdkConfig>,
    http_client: &Option<SharedHttpClient>,
) -> SdkConfig {
    let sdk = match (endpoint, cloud) {
        (Some(endpoint), _) => local(endpoint),
        (None, Some(cloud)) => cloud.clone(),
        (None, None) => lambda(),
    };
    let http_client = http_client.clone().unwrap_or_else(https_client);
    sdk.into_builder().http_client(http_client).build()
}

/// Describes a local engine. It checks neither region nor credentials.
fn local(endpoint: &str) -> SdkConfig {
    let anyone = Credentials::new("local", "local", None, None, "local engine");
    sdk(Region::new("local"), SharedCredentialsProvider::new(anyone)).into_builder().endpoint_url(endpoint).build()
}

/// Describes the cloud as a Lambda function sees it.
///
/// The SDK's own search goes through files and services that a function has not; their code is left out of it.
fn lambda() -> SdkConfig {
    let region = std::env::var("AWS_REGION").unwrap_or_default();
    sdk(Region::new(region), SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
}

fn sdk(region: Region, credentials: SharedCredentialsProvider) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(region)
        .credentials_provider(credentials)
        .build()
}

/// Makes the HTTP client of the SDK, which trusts AWS's own certificates alone.
pub fn https_client() -> SharedHttpClient {
    let roots = TrustStore::empty().with_pem_certificate(amazon_roots());
    let tls = TlsContext::builder().with_trust_store(roots).build().expect("the bundled certificates are readable");
    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(tls)
        .build_https()
}
