//! Publishing: a release in a folder becomes one in a bucket.

use dataset::{Folder, MANIFEST, Manifest, Part, Progress, ReleaseError};
use futures_util::{StreamExt, TryStreamExt, stream};
use thiserror::Error;

use crate::bucket::{Bucket, BucketError, BucketFailure};
use crate::location::ReleaseLocation;
use crate::room::bytes;
use crate::verify::verify;

/// The parts that are uploaded at once.
const UPLOADS_IN_FLIGHT: usize = 4;

/// A release that is in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Where it is.
    pub location: ReleaseLocation,
    /// The parts that were uploaded for it; none when all of it was there.
    pub uploaded: Vec<Part>,
}

/// Why a release was not published.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unpublished {
    /// It is not what its manifest describes.
    #[error("the release cannot be used: {0}")]
    Unusable(ReleaseError),
    /// The bucket has another release of its name.
    #[error(
        "{0} is another release, and releases never change; build or import this one again to name it anew"
    )]
    Taken(ReleaseLocation),
    /// The bucket did not take it.
    #[error("the release cannot be published: {0}")]
    Bucket(#[from] BucketError),
}

/// Puts a release into a bucket, under its name. The manifest comes last: what has none is no release.
///
/// What is there already is not uploaded again.
///
/// # Errors
///
/// When the folder is not what its manifest describes, another release has its name, or the bucket does not
/// take it.
pub async fn publish(
    bucket: &Bucket,
    folder: &Folder,
    progress: Progress<'_>,
) -> Result<Published, Unpublished> {
    let manifest = folder.manifest();
    let parts: Vec<Part> = manifest.files.keys().copied().collect();
    let total = bytes(manifest, &parts);
    progress("verifying", 0, total);
    verify(folder, &parts).await.map_err(Unpublished::Unusable)?;
    progress("verifying", total, total);
    let is_there = is_published(bucket, manifest).await?;
    let missing = if is_there { missing(bucket, manifest).await? } else { parts };
    upload(bucket, folder, &missing, progress).await?;
    if !is_there {
        let created = bucket.create(&key(manifest, MANIFEST), manifest.to_json().into_bytes()).await;
        match created {
            // A try of ours whose answer was lost may have made it.
            Err(BucketError { failure: BucketFailure::AlreadyThere, .. })
                if is_published(bucket, manifest).await? => {}
            created => created?,
        }
    }
    Ok(Published { location: location(bucket, manifest), uploaded: missing })
}

/// Tells whether the bucket has just this release.
async fn is_published(bucket: &Bucket, manifest: &Manifest) -> Result<bool, Unpublished> {
    match bucket.read(&key(manifest, MANIFEST)).await {
        Ok(text) if Manifest::parse(&text).is_ok_and(|there| there == *manifest) => Ok(true),
        Ok(_) => Err(Unpublished::Taken(location(bucket, manifest))),
        Err(BucketError { failure: BucketFailure::Missing, .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Lists the parts of a published release that are not there, or not whole.
async fn missing(bucket: &Bucket, manifest: &Manifest) -> Result<Vec<Part>, Unpublished> {
    let mut missing = Vec::new();
    for (part, entry) in &manifest.files {
        if bucket.length(&key(manifest, part.file())).await? != Some(entry.bytes) {
            missing.push(*part);
        }
    }
    Ok(missing)
}

async fn upload(
    bucket: &Bucket,
    folder: &Folder,
    parts: &[Part],
    progress: Progress<'_>,
) -> Result<(), Unpublished> {
    let manifest = folder.manifest();
    let (mut done, total) = (0, bytes(manifest, parts));
    let of_one = |part: &Part| {
        let part = *part;
        async move {
            bucket.upload(&key(manifest, part.file()), &folder.file(part)).await?;
            Ok::<_, BucketError>(part)
        }
    };
    let uploads: Vec<_> = parts.iter().map(of_one).collect();
    let mut uploads = stream::iter(uploads).buffer_unordered(UPLOADS_IN_FLIGHT);
    progress("uploading", done, total);
    while let Some(part) = uploads.try_next().await? {
        done += bytes(manifest, &[part]);
        progress("uploading", done, total);
    }
    Ok(())
}

fn key(manifest: &Manifest, file: &str) -> String {
    format!("{}/{file}", manifest.name)
}

fn location(bucket: &Bucket, manifest: &Manifest) -> ReleaseLocation {
    ReleaseLocation::Bucket { bucket: bucket.name().to_owned(), name: manifest.name.clone() }
}
