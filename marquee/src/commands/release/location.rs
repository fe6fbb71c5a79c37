//! The release that a command reads, in a folder or a bucket.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use dataset::{Folder, Part, ReleaseError};
use release_store::{Bucket, BucketConnection, ReleaseConfig, ReleaseLocation};
use tempfile::TempDir;

use crate::commands::cloud::cloud;
use crate::failure::Failure;
use crate::release::{FolderError, LOCAL_RELEASE, open};

/// The argument that names a release.
#[derive(Args, Debug)]
pub struct ReleaseArg {
    /// The release: a folder, or s3://BUCKET/NAME.
    #[arg(value_name = "RELEASE", default_value = LOCAL_RELEASE)]
    pub(super) release: ReleaseLocation,
    #[command(flatten)]
    pub(super) bucket: BucketArgs,
}

/// The options for connecting to a bucket.
#[derive(Args, Debug)]
pub(super) struct BucketArgs {
    /// The URL of a local server that replaces S3.
    #[arg(long, value_name = "URL", env = "S3_ENDPOINT")]
    endpoint: Option<String>,
}

/// A release with verified files.
pub(super) struct VerifiedRelease {
    pub(super) folder: Folder,
    /// The temporary folder with a fetched release, which is deleted when this value is dropped.
    _cache: Option<TempDir>,
}

/// The error for a temporary folder that can't be created.
#[derive(Debug, thiserror::Error)]
#[error("cannot create a folder in {} for the release: {source}", folder.display())]
struct NoCache {
    folder: PathBuf,
    source: io::Error,
}

impl ReleaseArg {
    /// Adds the release's location to an error.
    pub(super) fn unusable(&self, error: ReleaseError) -> FolderError {
        FolderError::unusable(Path::new(&self.release.to_string()))(error)
    }

    /// Opens the release and verifies the given parts.
    pub(super) async fn open(&self, parts: &[Part]) -> Result<VerifiedRelease, Failure> {
        self.bucket.open(&self.release, parts).await
    }
}

impl BucketArgs {
    /// Creates a client for a bucket. It uses the administrator's credentials unless there is an endpoint.
    pub(super) async fn connect(&self, bucket: &str) -> Result<Bucket, Failure> {
        Ok(Bucket::connect(&self.connection().await?, bucket))
    }

    /// Opens a release and verifies the given parts. If the release is in a bucket, fetches them into a
    /// temporary folder first.
    pub(super) async fn open(
        &self,
        location: &ReleaseLocation,
        parts: &[Part],
    ) -> Result<VerifiedRelease, Failure> {
        let ReleaseLocation::Folder(path) = location else { return self.fetch(location, parts).await };
        let folder = open(path)?;
        folder.verify(parts).map_err(FolderError::unusable(path))?;
        Ok(VerifiedRelease { folder, _cache: None })
    }

    async fn fetch(&self, location: &ReleaseLocation, parts: &[Part]) -> Result<VerifiedRelease, Failure> {
        let cache = tempfile::Builder::new().prefix("marquee-release-").tempdir();
        let cache = cache.map_err(|source| NoCache { folder: std::env::temp_dir(), source })?;
        let config = ReleaseConfig {
            cache: cache.path().to_owned(),
            buckets: self.connection().await?,
            ..ReleaseConfig::at(location.clone())
        };
        let folder = release_store::open(&config, parts).await?;
        Ok(VerifiedRelease { folder, _cache: Some(cache) })
    }

    async fn connection(&self) -> Result<BucketConnection, Failure> {
        let endpoint = self.endpoint.clone().filter(|endpoint| !endpoint.is_empty());
        let cloud = if endpoint.is_some() { None } else { Some(cloud().await?) };
        Ok(BucketConnection { endpoint, cloud, ..BucketConnection::default() })
    }
}
