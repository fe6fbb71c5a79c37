//! What a function is told of its release.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bucket::BucketConnection;
use crate::location::{InvalidLocation, ReleaseLocation};
use crate::room::free_bytes;

/// What a function is told of its release by its environment.
#[derive(Clone, Debug)]
pub struct ReleaseConfig {
    /// Where the data release is, or why nobody knows.
    pub location: Result<ReleaseLocation, NoLocation>,
    /// The folder into which a release is fetched.
    pub cache: PathBuf,
    /// Tells how much room is left on the disk of a folder, in bytes.
    pub free_bytes: fn(&Path) -> io::Result<u64>,
    /// The function's memory, in megabytes; only Lambda says how much that is.
    pub memory_mb: Option<u64>,
    /// How buckets are reached.
    pub buckets: BucketConnection,
}

/// Why nobody knows where the release is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoLocation {
    /// The environment does not say.
    #[error(
        "RELEASE is not set: no release has been published for this stack, which `make deploy` does; outside \
         the cloud, set it to a release's folder, or to `s3://bucket/name`"
    )]
    Unset,
    /// What the environment says is no location.
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
    /// Makes a configuration for a release, with the defaults for all else.
    pub fn at(location: ReleaseLocation) -> Self {
        Self { location: Ok(location), ..Self::default() }
    }

    /// Reads `RELEASE`, `RELEASE_CACHE`, `S3_ENDPOINT` and `AWS_LAMBDA_FUNCTION_MEMORY_SIZE`.
    ///
    /// `variable` returns the text of a variable; `None` for an unset or an empty one.
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
    fn reads_nothing_where_nothing_is_set() {
        let config = ReleaseConfig::read(|_| None);
        assert_eq!(config.location, Err(NoLocation::Unset));
        assert_eq!(config.cache, std::env::temp_dir().join("release"));
        assert_eq!(config.buckets.endpoint, None);
        assert_eq!(config.memory_mb, None);
    }

    #[test]
    fn reads_the_memory_that_lambda_says_the_function_has() {
        assert_eq!(read("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512").memory_mb, Some(512));
    }

    #[test]
    fn reads_where_the_release_is_and_keeps_why_it_cannot() {
        let release = |text| read("RELEASE", text).location;
        assert_eq!(release("/srv/release"), Ok(ReleaseLocation::Folder("/srv/release".into())));
        let error = release("s3://releases").expect_err("no name").to_string();
        assert!(error.starts_with("RELEASE must be"), "{error}");
    }
}
