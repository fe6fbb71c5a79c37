//! Where the database is.

use std::time::Duration;

use aws::LocalEndpoint;
use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use runtime::Environment;

/// Where the database is and how long it is waited for.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The first characters of the tables' names.
    pub table_prefix: String,
    /// A local engine; `None` for the cloud's, found by region.
    pub endpoint: Option<LocalEndpoint>,
    /// The region and credentials for the cloud, in place of those that Lambda puts into the environment.
    pub cloud: Option<SdkConfig>,
    /// How long one try of a charge may take; other calls, which may carry megabytes, have three times as
    /// long.
    pub attempt_timeout: Duration,
    /// The HTTP client to use in place of the ordinary one.
    pub http_client: Option<SharedHttpClient>,
}

impl Connection {
    /// Describes the tables with a prefix, in an engine or in the cloud.
    pub fn new(table_prefix: impl Into<String>, endpoint: Option<LocalEndpoint>) -> Self {
        Self {
            table_prefix: table_prefix.into(),
            endpoint,
            cloud: None,
            attempt_timeout: Duration::from_secs(1),
            http_client: None,
        }
    }

    /// Reads `TABLE_PREFIX` and `DYNAMODB_ENDPOINT`, and `AWS_ACCESS_KEY_ID` for an engine at that endpoint.
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
    fn calls_an_engine_with_the_access_key_id_of_the_environment() {
        let variables = [("DYNAMODB_ENDPOINT", "http://127.0.0.1:8000"), ("AWS_ACCESS_KEY_ID", "secret")];
        let engine = Connection::read(&Environment::of(variables)).endpoint.expect("an engine");
        assert_eq!((engine.url.as_str(), engine.access_key_id.as_str()), ("http://127.0.0.1:8000", "secret"));
        assert!(!format!("{engine:?}").contains("secret"), "{engine:?}");
    }
}
