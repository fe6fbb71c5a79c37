use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Credentials, SharedHttpClient};
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
    /// How long one try of a charge may take; other calls, which may carry megabytes, have three times as long.
    pub attempt_timeout: Duration,
    /// The HTTP client to use in place of the ordinary one.
    pub http_client: Option<SharedHttpClient>,
}

impl Connection {
    /// Describes the tables with a prefix, at an engine's address or in the cloud.
    pub fn new(table_prefix: impl Into<String>, endpoint: Option<String>) -> Self {
        Self { table_prefix: table_prefix.into(), endpoint, attempt_timeout: Duration::from_secs(1), http_client: None }
    }
}

/// Makes the clients; nothing is sent yet.
pub async fn connect(connection: &Connection, clock: Clock, random: Random) -> Dynamo {
    let http_client = connection.http_client.clone().unwrap_or_else(https_client);
    let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client);
    if let Some(endpoint) = &connection.endpoint {
        // A local engine checks neither; fixed ones spare the search for real ones.
        let anyone = Credentials::new("local", "local", None, None, "local engine");
        loader = loader.endpoint_url(endpoint).region(Region::new("local")).credentials_provider(anyone);
    }
    let loaded = loader.load().await;
    let patient = aws_sdk_dynamodb::config::Builder::from(&loaded)
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

fn https_client() -> SharedHttpClient {
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
