//! Configuration from the environment.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::admission::Issuer;
use crate::bucket::BucketConnection;
use crate::dynamo::Connection;
use crate::release::{ReleaseLocation, free_bytes};

/// The version of the interface (Specification, Versioning).
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
    /// How long after a call's arrival its handler may work. It lies 5 s under the function's timeout, so that refunds
    /// run.
    pub handler_deadline: Duration,
    /// Where the data release is, or why that cannot be read; only those who open it need it.
    pub release: Option<Result<ReleaseLocation, String>>,
    /// The folder into which a release is fetched.
    pub release_cache: PathBuf,
    /// Tells how much room is left on the disk of a folder, in bytes.
    pub free_bytes: fn(&Path) -> io::Result<u64>,
    /// The function's memory, in megabytes; only Lambda says how much that is.
    pub memory_mb: Option<u64>,
    /// How buckets are reached.
    pub buckets: BucketConnection,
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
            release: None,
            release_cache: std::env::temp_dir().join("release"),
            free_bytes,
            memory_mb: None,
            buckets: BucketConnection::default(),
        }
    }

    /// Reads `TABLE_PREFIX`, `DYNAMODB_ENDPOINT`, `OIDC_ISSUER`, `OIDC_AUDIENCE`, `OIDC_JWKS_URL`, `DOCS_URL`,
    /// `PUBLIC_URL`, `PORTAL_ORIGINS`, `HANDLER_DEADLINE_SECONDS`, `RELEASE`, `RELEASE_CACHE`, `S3_ENDPOINT` and
    /// `AWS_LAMBDA_FUNCTION_MEMORY_SIZE`.
    pub fn from_env() -> Self {
        Self::read(|name| std::env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let prefix = variable("TABLE_PREFIX").unwrap_or_default();
        let mut config = Self::new(Connection::new(prefix, variable("DYNAMODB_ENDPOINT")));
        let issuer = (variable("OIDC_ISSUER"), variable("OIDC_AUDIENCE"), variable("OIDC_JWKS_URL"));
        if let (Some(issuer), Some(audience), Some(jwks_url)) = issuer {
            config.issuer = Some(Issuer { issuer, audience, jwks_url });
        }
        config.docs_url = variable("DOCS_URL").unwrap_or(config.docs_url);
        config.public_url = variable("PUBLIC_URL").map(|url| url.trim_end_matches('/').to_owned());
        let origins = variable("PORTAL_ORIGINS").unwrap_or_default();
        config.portal_origins =
            origins.split(',').map(str::trim).filter(|origin| !origin.is_empty()).map(str::to_owned).collect();
        let seconds = variable("HANDLER_DEADLINE_SECONDS").and_then(|seconds| seconds.parse().ok());
        config.handler_deadline = seconds.map_or(config.handler_deadline, Duration::from_secs);
        let unreadable = |error: String| format!("RELEASE {error}");
        config.release = variable("RELEASE").map(|text| text.parse().map_err(unreadable));
        config.release_cache = variable("RELEASE_CACHE").map_or(config.release_cache, PathBuf::from);
        config.buckets.endpoint = variable("S3_ENDPOINT");
        config.memory_mb = variable("AWS_LAMBDA_FUNCTION_MEMORY_SIZE").and_then(|megabytes| megabytes.parse().ok());
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_an_empty_variable_as_unset() {
        let config = Config::read(|name| match name {
            "TABLE_PREFIX" => Some("marquee-".to_owned()),
            _ => Some(String::new()),
        });
        assert_eq!(config.connection.table_prefix, "marquee-");
        assert_eq!(config.connection.endpoint, None);
        assert_eq!(config.issuer, None);
        assert_eq!(config.handler_deadline, Duration::from_secs(15));
        assert!(config.portal_origins.is_empty());
        assert_eq!(config.public_url, None);
        assert_eq!(config.release, None);
        assert_eq!(config.release_cache, std::env::temp_dir().join("release"));
        assert_eq!(config.buckets.endpoint, None);
        assert_eq!(config.memory_mb, None);
        assert!(!config.docs_url.is_empty());
    }

    #[test]
    fn splits_the_portal_origins() {
        let config =
            Config::read(|name| (name == "PORTAL_ORIGINS").then(|| "https://a.example, https://b.example,".to_owned()));
        assert_eq!(config.portal_origins, ["https://a.example", "https://b.example"]);
    }

    #[test]
    fn reads_the_memory_that_lambda_says_the_function_has() {
        let config = Config::read(|name| (name == "AWS_LAMBDA_FUNCTION_MEMORY_SIZE").then(|| "512".to_owned()));
        assert_eq!(config.memory_mb, Some(512));
    }

    #[test]
    fn reads_where_the_release_is_and_keeps_why_it_cannot() {
        let release = |text: &str| {
            let text = text.to_owned();
            Config::read(|name| (name == "RELEASE").then(|| text.clone())).release.expect("it is set")
        };
        assert_eq!(release("/srv/release"), Ok(ReleaseLocation::Folder("/srv/release".into())));
        let error = release("s3://releases").expect_err("no name");
        assert!(error.starts_with("RELEASE must be"), "{error}");
    }
}
