//! The database's connection settings.

use std::time::Duration;

use aws::LocalEndpoint;
use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use runtime::Environment;

/// The address, credentials, and timeouts of the database.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The prefix of the table names.
    pub table_prefix: String,
    /// The endpoint of a local engine, or `None` for DynamoDB in the configured region.
    pub endpoint: Option<LocalEndpoint>,
    /// The region and credentials for DynamoDB. `None` uses Lambda's environment variables.
    pub cloud: Option<SdkConfig>,
    /// The timeout for one attempt of a call that isn't retried automatically, such as a charge. Other calls
    /// can transfer megabytes, so their timeout is three times as long.
    pub attempt_timeout: Duration,
    /// An HTTP client that replaces the default one.
    pub http_client: Option<SharedHttpClient>,
}

impl Connection {
    /// Creates settings for the tables with the given name prefix, in a local engine or in AWS.
    pub fn new(table_prefix: impl Into<String>, endpoint: Option<LocalEndpoint>) -> Self {
        Self {
            table_prefix: table_prefix.into(),
            endpoint,
            cloud: None,
            attempt_timeout: Duration::from_secs(1),
            http_client: None,
        }
    }

    /// Reads `TABLE_PREFIX` and `DYNAMODB_ENDPOINT`. A local engine also needs `AWS_ACCESS_KEY_ID`.
    pub fn read(environment: &Environment) -> Self {
        let variable = |name| environment.variable(name).unwrap_or_default();
        let engine = environment
            .variable("DYNAMODB_ENDPOINT")
            .map(|url| LocalEndpoint { url, access_key_id: variable("AWS_ACCESS_KEY_ID") });
        Self::new(variable("TABLE_PREFIX"), engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_engine_uses_access_key_id_from_environment() {
        let variables = [("DYNAMODB_ENDPOINT", "http://127.0.0.1:8000"), ("AWS_ACCESS_KEY_ID", "secret")];
        let engine = Connection::read(&Environment::of(variables)).endpoint.expect("a local engine");
        assert_eq!((engine.url.as_str(), engine.access_key_id.as_str()), ("http://127.0.0.1:8000", "secret"));
        assert!(!format!("{engine:?}").contains("secret"), "{engine:?}");
    }
}
