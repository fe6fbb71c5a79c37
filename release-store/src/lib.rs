//! A data release on its way: from a bucket or a folder into a process, and from a folder into a bucket.

mod bucket;
mod cache;
mod config;
mod location;
mod provenance;
mod publish;
mod room;
mod unavailable;

use std::time::{Duration, Instant};

use dataset::{Folder, Manifest, Part, ReleaseError};
use futures_util::future::join_all;

pub use bucket::{Bucket, BucketConnection, BucketError, BucketFailure, RANGE_BYTES, RANGES_IN_FLIGHT};
pub use config::ReleaseConfig;
pub use location::ReleaseLocation;
pub use provenance::provenance;
pub use publish::{Published, Unpublished, publish};
pub use room::Shortage;
pub use unavailable::ReleaseUnavailable;

use cache::Cache;
use room::check_memory;

/// A release that can be used, and when its files were there to be verified.
struct Opened {
    folder: Folder,
    fetched_at: Instant,
}

/// Opens the release that the configuration names, and what a function reads of it.
///
/// # Errors
///
/// When there is none, it cannot be fetched, the function has no room for it, or it is not what its manifest describes.
/// That is logged too, since a process that cannot start shows no more of an error than its fields.
pub async fn open_as<T>(
    config: &ReleaseConfig,
    parts: &[Part],
    read: impl FnOnce(&Folder) -> Result<T, ReleaseError>,
) -> Result<T, ReleaseUnavailable> {
    let folder = open(config, parts).await?;
    read(&folder).map_err(|error| {
        let configured = config.location.clone().and_then(Result::ok);
        let location = configured.unwrap_or_else(|| ReleaseLocation::Folder(folder.path().to_owned()));
        refused(ReleaseUnavailable::Unusable(location, error))
    })
}

/// Opens the release that the configuration names, with the parts that the process uses, all of them verified.
///
/// One in a bucket is fetched first, unless it has been already.
///
/// # Errors
///
/// When there is none, it cannot be fetched, the function has no room for it, or a part is not what its manifest
/// describes. That is logged too.
pub async fn open(config: &ReleaseConfig, parts: &[Part]) -> Result<Folder, ReleaseUnavailable> {
    find(config, parts).await.map_err(refused)
}

fn refused(error: ReleaseUnavailable) -> ReleaseUnavailable {
    tracing::error!(event = "release_refused", %error);
    error
}

async fn find(config: &ReleaseConfig, parts: &[Part]) -> Result<Folder, ReleaseUnavailable> {
    let location = match &config.location {
        None => return Err(ReleaseUnavailable::Unset),
        Some(Err(why)) => return Err(ReleaseUnavailable::Unreadable(why.clone())),
        Some(Ok(location)) => location,
    };
    let started = Instant::now();
    let Opened { folder, fetched_at } = match location {
        ReleaseLocation::Folder(path) => {
            let unusable = |error| ReleaseUnavailable::Unusable(location.clone(), error);
            let folder = Folder::open(path).map_err(unusable)?;
            check_memory(folder.manifest(), parts, config.memory_mb)?;
            verify(&folder, parts).await.map_err(unusable)?;
            Opened { folder, fetched_at: started }
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
        fetch_ms = millis(fetched_at.duration_since(started)),
        verify_ms = millis(fetched_at.elapsed()),
    );
    Ok(folder)
}

/// Verifies parts side by side, each on a thread of its own.
async fn verify(folder: &Folder, parts: &[Part]) -> Result<(), ReleaseError> {
    let each = parts.iter().map(|part| {
        let (folder, part) = (folder.clone(), *part);
        blocking(move || folder.verify(&[part]))
    });
    join_all(each).await.into_iter().collect()
}

/// Runs work that blocks on a thread for it; a panic there is one here.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Adds the lengths of parts up.
fn bytes(manifest: &Manifest, parts: &[Part]) -> u64 {
    parts.iter().filter_map(|part| manifest.files.get(part)).map(|entry| entry.bytes).sum()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
