//! The configuration for opening a function's data release.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bucket::BucketConnection;
use crate::location::{InvalidLocation, ReleaseLocation};
use crate::room::free_bytes;

/// The configuration for opening a function's data release, which is usually read from environment variables.
#[derive(Clone, Debug)]
pub struct ReleaseConfig {
    /// The data release's location or why it's unknown.
    pub location: Result<ReleaseLocation, NoLocation>,
    /// The folder for cached releases.
    pub cache: PathBuf,
    /// Returns the free disk space in a folder, in bytes.
    pub free_bytes: fn(&Path) -> io::Result<u64>,
    /// The Lambda function's memory in megabytes. `None` outside Lambda.
    pub memory_mb: Option<u64>,
    /// The connection settings for buckets.
    pub buckets: BucketConnection,
}

/// The reason that the release's location is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoLocation {
    /// The `RELEASE` environment variable isn't set.
    #[error(
        "RELEASE is not set: no release has been published for this stack; publish one with `make deploy`, \
         or, outside AWS, set RELEASE to a release's folder or to `s3://bucket/name`"
    )]
    Unset,
    /// The `RELEASE` environment variable doesn't contain a valid location.
    #[error("RELEASE {0}")]
    Invalid(#[from] InvalidLocation),
}

impl Default for ReleaseConfig {
    fn default() -> Self {
        Self {
            location: Err(NoLocation::Unset),
            cache: std::env::temp_dir().join("release"),
            free_bytes,
            memory_mb: None,
            buckets: BucketConnection::default(),
        }
    }
}

impl ReleaseConfig {
    /// Creates a configuration for the release at `location` with default values for all other settings.
    pub fn at(location: ReleaseLocation) -> Self {
        Self { location: Ok(location), ..Self::default() }
    }

    /// Reads the `RELEASE`, `RELEASE_CACHE`, `S3_ENDPOINT`, and `AWS_LAMBDA_FUNCTION_MEMORY_SIZE` environment
    /// variables.
    ///
    /// `variable` returns the value of an environment variable, or `None` if it's unset or empty.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let defaults = Self::default();
        Self {
            location: variable("RELEASE").ok_or(NoLocation::Unset).and_then(|text| Ok(text.parse()?)),
            cache: variable("RELEASE_CACHE").map_or(defaults.cache, PathBuf::from),
            free_bytes: defaults.free_bytes,
            memory_mb: variable("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
                .and_then(|megabytes| megabytes.parse().ok()),
            buckets: BucketConnection { endpoint: variable("S3_ENDPOINT"), ..defaults.buckets },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> ReleaseConfig {
        ReleaseConfig::read(|asked| (asked == name).then(|| text.to_owned()))
    }

    #[test]
    fn empty_environment_gives_defaults() {
        let config = ReleaseConfig::read(|_| None);
        assert_eq!(config.location, Err(NoLocation::Unset));
        assert_eq!(config.cache, std::env::temp_dir().join("release"));
        assert_eq!(config.buckets.endpoint, None);
        assert_eq!(config.memory_mb, None);
    }

    #[test]
    fn memory_comes_from_lambdas_environment() {
        assert_eq!(read("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512").memory_mb, Some(512));
    }

    #[test]
    fn location_is_parsed_or_its_error_is_kept() {
        let release = |text| read("RELEASE", text).location;
        assert_eq!(release("/srv/release"), Ok(ReleaseLocation::Folder("/srv/release".into())));
        let error = release("s3://releases").expect_err("no name").to_string();
        assert!(error.starts_with("RELEASE must be"), "{error}");
    }
}
