//! Opens releases from any location.

use std::time::{Duration, Instant};

use dataset::{Folder, Part, ReleaseError};

use crate::bucket::Bucket;
use crate::cache::{Cache, Opened};
use crate::config::ReleaseConfig;
use crate::location::ReleaseLocation;
use crate::room::{bytes, check_memory};
use crate::unavailable::ReleaseUnavailable;
use crate::verify::verify;

/// Opens the configured release, and reads a function's data from it with `read`.
///
/// Returns an error if the location is unknown, the release can't be fetched, it is too large for the
/// function, or it doesn't match its manifest. Errors are logged too: a process that fails to start reports
/// only the error's fields.
pub async fn open_as<T>(
    config: &ReleaseConfig,
    parts: &[Part],
    read: impl FnOnce(&Folder) -> Result<T, ReleaseError>,
) -> Result<T, ReleaseUnavailable> {
    let folder = open(config, parts).await?;
    read(&folder).map_err(|error| {
        let in_folder = |_| ReleaseLocation::Folder(folder.path().to_owned());
        let location = config.location.clone().unwrap_or_else(in_folder);
        refused(ReleaseUnavailable::Unusable { location, error })
    })
}

/// Opens the configured release and verifies the parts that the process uses. A release in a bucket is
/// fetched first, unless it is cached.
///
/// Returns an error if the location is unknown, the release can't be fetched, it is too large for the
/// function, or a part doesn't match the manifest. Errors are logged too.
pub async fn open(config: &ReleaseConfig, parts: &[Part]) -> Result<Folder, ReleaseUnavailable> {
    find(config, parts).await.map_err(refused)
}

fn refused(error: ReleaseUnavailable) -> ReleaseUnavailable {
    tracing::error!(event = "release_refused", %error);
    error
}

async fn find(config: &ReleaseConfig, parts: &[Part]) -> Result<Folder, ReleaseUnavailable> {
    let location = config.location.as_ref().map_err(Clone::clone)?;
    let started = Instant::now();
    let Opened { folder, fetched_at, fetched_bytes } = match location {
        ReleaseLocation::Folder(path) => {
            let unusable = |error| ReleaseUnavailable::Unusable { location: location.clone(), error };
            let folder = Folder::open(path).map_err(unusable)?;
            check_memory(folder.manifest(), parts, config.memory_mb)?;
            verify(&folder, parts).await.map_err(unusable)?;
            Opened { folder, fetched_at: started, fetched_bytes: 0 }
        }
        ReleaseLocation::Bucket { bucket, name } => {
            let bucket = Bucket::connect(&config.buckets, bucket);
            Cache { bucket: &bucket, name, config }.open(parts).await?
        }
    };
    tracing::info!(
        event = "release_opened",
        name = folder.manifest().name,
        bytes = bytes(folder.manifest(), parts),
        fetched_bytes,
        fetch_ms = millis(fetched_at.duration_since(started)),
        verify_ms = millis(fetched_at.elapsed()),
    );
    Ok(folder)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
