//! Who is called, and as whom.

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use super::https::https_client;
use super::local_endpoint::LocalEndpoint;

/// Describes who is called, and as whom: a local stand-in, the cloud that is given, or the cloud as Lambda
/// sees it.
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

/// Describes a local stand-in. Region and signature are of no matter to the database engine; a bucket's
/// stand-in checks signatures with the secret key `local`.
fn local(endpoint: &LocalEndpoint) -> SdkConfig {
    let LocalEndpoint { url, access_key_id } = endpoint;
    let credentials = Credentials::new(access_key_id, "local", None, None, "local endpoint");
    sdk(Region::new("local"), SharedCredentialsProvider::new(credentials))
        .into_builder()
        .endpoint_url(url)
        .build()
}

/// Describes the cloud as a Lambda function sees it.
///
/// The SDK's own search goes through files and services that a function has not; their code is left out of
/// it.
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
