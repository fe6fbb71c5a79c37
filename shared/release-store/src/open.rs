//! Opening a release, wherever it is.

use std::time::{Duration, Instant};

use dataset::{Folder, Part, ReleaseError};

use crate::bucket::Bucket;
use crate::cache::{Cache, Opened};
use crate::config::ReleaseConfig;
use crate::location::ReleaseLocation;
use crate::room::{bytes, check_memory};
use crate::unavailable::ReleaseUnavailable;
use crate::verify::verify;

/// Opens the release that the configuration names, and what a function reads of it.
///
/// # Errors
///
/// When there is none, it cannot be fetched, the function has no room for it, or it is not what its manifest
/// describes. That is logged too, since a process that cannot start shows no more of an error than its
/// fields.
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

/// Opens the release that the configuration names, with the parts that the process uses, all of them
/// verified.
///
/// One in a bucket is fetched first, unless it has been already.
///
/// # Errors
///
/// When there is none, it cannot be fetched, the function has no room for it, or a part is not what its
/// manifest describes. That is logged too.
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
