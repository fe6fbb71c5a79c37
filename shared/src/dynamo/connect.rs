use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider, SharedHttpClient};
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};

use super::{Dynamo, tables};
use crate::types::{Clock, Random};

/// Where the database is and how long it is waited for.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The first characters of the tables' names.
    pub table_prefix: String,
    /// A local engine's address; `None` for the cloud's, found by region.
    pub endpoint: Option<String>,
    /// The region and credentials for the cloud, in place of those that Lambda puts into the environment.
    pub cloud: Option<SdkConfig>,
    /// How long one try of a charge may take; other calls, which may carry megabytes, have three times as long.
    pub attempt_timeout: Duration,
    /// The HTTP client to use in place of the ordinary one.
    pub http_client: Option<SharedHttpClient>,
}

impl Connection {
    /// Describes the tables with a prefix, at an engine's address or in the cloud.
    pub fn new(table_prefix: impl Into<String>, endpoint: Option<String>) -> Self {
        Self {
            table_prefix: table_prefix.into(),
            endpoint,
            cloud: None,
            attempt_timeout: Duration::from_secs(1),
            http_client: None,
        }
    }
}

/// Makes the clients; nothing is sent yet.
pub fn connect(connection: &Connection, clock: Clock, random: Random) -> Dynamo {
    let sdk = sdk_config(&connection.endpoint, &connection.cloud, &connection.http_client);
    let patient = aws_sdk_dynamodb::config::Builder::from(&sdk)
        .retry_config(retries())
        .timeout_config(timeouts(connection.attempt_timeout * 3))
        .build();
    let once = patient
        .to_builder()
        .retry_config(RetryConfig::disabled())
        .timeout_config(timeouts(connection.attempt_timeout))
        .build();
    let [accounts, credentials, assets] = tables::table_names(&connection.table_prefix);
    Dynamo {
        client: Client::from_conf(patient),
        once: Client::from_conf(once),
        accounts,
        credentials,
        assets,
        clock,
        random,
    }
}

/// Returns the five root certificates that AWS services are signed under, as PEM.
///
/// Reading them from the binary spares a cold start the parsing of a system's whole certificate store.
pub fn amazon_roots() -> &'static [u8] {
    include_bytes!("amazon_roots.pem")
}

/// Describes who is called, and as whom: a local stand-in, the cloud that is given, or the cloud as Lambda sees it.
pub(crate) fn sdk_config(
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

fn timeouts(attempt: Duration) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1).min(attempt))
        .operation_attempt_timeout(attempt)
        .build()
}

fn retries() -> RetryConfig {
    RetryConfig::standard()
        .with_max_attempts(4)
        .with_initial_backoff(Duration::from_millis(20))
        .with_max_backoff(Duration::from_millis(400))
}
