//! Where the database is.

use std::time::Duration;

use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use crate::aws::LocalEndpoint;

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
}
