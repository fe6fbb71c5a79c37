//! Configuration from the environment.

use std::time::Duration;

use super::{Connection, Environment};
use crate::aws::LocalEndpoint;

/// The version of the interface, which openapi.yaml names in `info.version`.
pub const INTERFACE_VERSION: &str = "0.4.0";

/// What a function is told by its environment. An empty variable counts as unset.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the database is.
    pub connection: Connection,
    /// Who issues bearer tokens; none are accepted without.
    pub issuer: Option<Issuer>,
    /// Where the documentation is: errors point into it.
    pub docs_url: String,
    /// The address that callers reach the main surface at, without `/v2`; `None` where each request tells it.
    pub public_url: Option<String>,
    /// The origins of the portal, which browsers may call from.
    pub portal_origins: Vec<String>,
    /// How long after a call's arrival its handler may work. It lies 6 s under the function's timeout, so
    /// that refunds run.
    pub handler_deadline: Duration,
}

/// Who issues bearer tokens, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// The `aud` of its tokens.
    pub audience: String,
    /// Where its public keys are.
    pub jwks_url: String,
}

impl Config {
    /// Makes a configuration for a database, with the defaults for all else.
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            issuer: None,
            docs_url: "https://docs.marquee.example/v2/errors".to_owned(),
            public_url: None,
            portal_origins: Vec::new(),
            handler_deadline: Duration::from_secs(15),
        }
    }

    /// Reads `TABLE_PREFIX`, `DYNAMODB_ENDPOINT`, `OIDC_ISSUER`, `OIDC_AUDIENCE`, `OIDC_JWKS_URL`,
    /// `DOCS_URL`, `PUBLIC_URL`, `PORTAL_ORIGINS` and `HANDLER_DEADLINE_SECONDS`; and `AWS_ACCESS_KEY_ID` for
    /// an engine at `DYNAMODB_ENDPOINT`.
    pub fn read(environment: &Environment) -> Self {
        let variable = |name| environment.variable(name);
        let prefix = variable("TABLE_PREFIX").unwrap_or_default();
        let engine = variable("DYNAMODB_ENDPOINT").map(|url| LocalEndpoint {
            url,
            access_key_id: variable("AWS_ACCESS_KEY_ID").unwrap_or_default(),
        });
        let mut config = Self::new(Connection::new(prefix, engine));
        let issuer = (variable("OIDC_ISSUER"), variable("OIDC_AUDIENCE"), variable("OIDC_JWKS_URL"));
        if let (Some(issuer), Some(audience), Some(jwks_url)) = issuer {
            config.issuer = Some(Issuer { issuer, audience, jwks_url });
        }
        config.docs_url = variable("DOCS_URL").unwrap_or(config.docs_url);
        config.public_url = variable("PUBLIC_URL").map(|url| url.trim_end_matches('/').to_owned());
        let origins = variable("PORTAL_ORIGINS").unwrap_or_default();
        config.portal_origins = origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty())
            .map(str::to_owned)
            .collect();
        let seconds = variable("HANDLER_DEADLINE_SECONDS").and_then(|seconds| seconds.parse().ok());
        config.handler_deadline = seconds.map_or(config.handler_deadline, Duration::from_secs);
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_an_empty_variable_as_unset() {
        let empty =
            ["DYNAMODB_ENDPOINT", "OIDC_ISSUER", "OIDC_AUDIENCE", "OIDC_JWKS_URL", "DOCS_URL", "PUBLIC_URL"];
        let variables = empty.map(|name| (name, ""));
        let config =
            Config::read(&Environment::of(variables.into_iter().chain([("TABLE_PREFIX", "marquee-")])));
        assert_eq!(config.connection.table_prefix, "marquee-");
        assert_eq!(config.connection.endpoint, None);
        assert_eq!(config.issuer, None);
        assert_eq!(config.handler_deadline, Duration::from_secs(15));
        assert!(config.portal_origins.is_empty());
        assert_eq!(config.public_url, None);
        assert!(!config.docs_url.is_empty());
    }

    #[test]
    fn calls_an_engine_with_the_access_key_id_of_the_environment() {
        let variables = [("DYNAMODB_ENDPOINT", "http://127.0.0.1:8000"), ("AWS_ACCESS_KEY_ID", "secret")];
        let engine = Config::read(&Environment::of(variables)).connection.endpoint.expect("an engine");
        assert_eq!((engine.url.as_str(), engine.access_key_id.as_str()), ("http://127.0.0.1:8000", "secret"));
        assert!(!format!("{engine:?}").contains("secret"), "{engine:?}");
    }

    #[test]
    fn splits_the_portal_origins() {
        let config =
            Config::read(&Environment::of([("PORTAL_ORIGINS", "https://a.example, https://b.example,")]));
        assert_eq!(config.portal_origins, ["https://a.example", "https://b.example"]);
    }
}
