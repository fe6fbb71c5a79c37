//! The SDK configuration: endpoint, region, credentials, and HTTP client.

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use super::https::https_client;
use super::local_endpoint::LocalEndpoint;

/// Returns the SDK configuration for `endpoint`. Without an endpoint, returns `cloud` or, if that's also
/// `None`, the configuration from Lambda's environment. The HTTP client defaults to [`https_client`].
pub fn sdk_config(
    endpoint: &Option<LocalEndpoint>,
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

/// Returns the configuration for a local stand-in. The local database engine ignores the region and
/// signatures. The local bucket server verifies signatures with `local` as the secret key.
fn local(endpoint: &LocalEndpoint) -> SdkConfig {
    let LocalEndpoint { url, access_key_id } = endpoint;
    let credentials = Credentials::new(access_key_id, "local", None, None, "local endpoint");
    sdk(Region::new("local"), SharedCredentialsProvider::new(credentials))
        .into_builder()
        .endpoint_url(url)
        .build()
}

/// Returns the configuration from a Lambda function's environment.
///
/// The SDK's default credential chain isn't used, because it makes the binary larger and tries files and
/// services that functions don't have.
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
