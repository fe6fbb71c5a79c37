//! Opens a release from a folder or a bucket.

use std::time::{Duration, Instant};

use dataset::{Folder, Part, ReleaseError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::bucket::Bucket;
use crate::cache::{Cache, Opened};
use crate::config::ReleaseConfig;
use crate::location::ReleaseLocation;
use crate::room::{bytes, check_memory};
use crate::unavailable::ReleaseUnavailable;
use crate::verify::verify;

/// Returns a function that opens the configured release and reads its data with `read`. It can be called
/// again after an error.
///
/// The function returns an error if the location is unknown, the release can't be fetched or doesn't fit in
/// the Lambda function's memory or on its disk, a part doesn't match the manifest, or `read` fails. It also
/// logs the error, because API callers see only that the release isn't ready.
pub fn opener<T: Send + 'static>(
    config: ReleaseConfig,
    parts: &'static [Part],
    read: fn(&Folder) -> Result<T, ReleaseError>,
) -> impl Fn() -> BoxFuture<'static, Result<T, ReleaseUnavailable>> {
    move || {
        let config = config.clone();
        async move {
            let folder = open(&config, parts).await?;
            read(&folder).map_err(|error| {
                let in_folder = |_| ReleaseLocation::Folder(folder.path().to_owned());
                let location = config.location.clone().unwrap_or_else(in_folder);
                refused(ReleaseUnavailable::Unusable { location, error })
            })
        }
        .boxed()
    }
}

/// Opens the configured release and verifies the given parts. If the release is in a bucket and isn't
/// cached, fetches the parts first.
///
/// Returns an error if the location is unknown, the release can't be fetched or doesn't fit in the Lambda
/// function's memory or on its disk, or a part doesn't match the manifest. Also logs the error.
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
