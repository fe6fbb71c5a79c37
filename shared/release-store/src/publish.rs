//! Publishes a release: packs it from a folder and uploads it to a bucket.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use dataset::{Folder, MANIFEST, Manifest, Part, Progress, ReleaseError};
use futures_util::{StreamExt, TryStreamExt, stream};
use tempfile::TempDir;
use thiserror::Error;

use crate::bucket::{Bucket, BucketError, BucketFailure, MAX_READ_BYTES};
use crate::location::ReleaseLocation;
use crate::packed::{PACKED, PackedError, PackedFault, PackedPart, PackedRelease, pack};
use crate::room::bytes;
use crate::verify::{blocking, verify};

/// The maximum number of parts that are uploaded concurrently.
const PARTS_IN_FLIGHT: usize = 4;

/// The result of publishing a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The release's location in the bucket.
    pub location: ReleaseLocation,
    /// The parts that were uploaded. Empty if the bucket already contained all of them.
    pub uploaded: Vec<Part>,
    /// The uploaded parts' unpacked size, in bytes.
    pub bytes: u64,
    /// The uploaded parts' packed size, in bytes.
    pub packed_bytes: u64,
}

/// The reason that a release can't be published.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unpublished {
    /// The release's files don't match the manifest.
    #[error("the release cannot be used: {0}")]
    Unusable(ReleaseError),
    /// The manifest in the bucket differs from the one that was published.
    #[error(
        "{MANIFEST} in {0} was altered after it was published; restore an earlier version of it, or delete \
         the release from the bucket and publish it again"
    )]
    Altered(ReleaseLocation),
    /// The description of the packed release in the bucket can't be used.
    #[error(
        "{location} cannot be completed: {PACKED}: {fault}; restore an earlier version of {PACKED}, or \
         delete the release from the bucket and publish it again"
    )]
    Described { location: ReleaseLocation, fault: PackedFault },
    /// A published object is missing, and this program now packs its part into different bytes.
    #[error(
        "{location} is missing {object}, and packing {part} again produces different bytes; restore an earlier \
         version of the object, or delete the release from the bucket and publish it again"
    )]
    PackedOtherwise { location: ReleaseLocation, object: String, part: &'static str },
    /// The release has too many frames, so its description would be too large.
    #[error(
        "the release is too large to publish: packed.json would be {bytes} bytes long; the limit is {most}"
    )]
    TooLarge { bytes: usize, most: usize },
    /// The parts can't be packed in a temporary folder.
    #[error("the release cannot be packed in {}: {why}", folder.display())]
    Unpackable { folder: PathBuf, why: String },
    /// The upload failed.
    #[error("the release cannot be published: {0}")]
    Bucket(#[from] BucketError),
}

/// Packs a release and uploads it to a bucket under its name. The manifest is uploaded last, because a
/// folder without a manifest doesn't count as a release.
///
/// Objects that already have the expected length aren't uploaded again, and a published release's objects
/// never change.
///
/// Returns an error if the folder doesn't match its manifest, the manifest or `packed.json` in the bucket was
/// altered, a missing object can't be reproduced, or packing or uploading fails.
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
    let publication = Publication { bucket, folder, progress };
    let is_there = publication.is_published().await?;
    let uploaded = match publication.described().await? {
        Some(packed) => publication.complete(&packed).await?,
        None => publication.pack_and_upload(&parts).await?,
    };
    if !is_there {
        let manifest_text = manifest.to_json().into_bytes();
        // The manifest may already exist, either because the response to an earlier attempt was lost, or
        // because another process published the same release.
        let created = publication.create(MANIFEST, manifest_text).await?;
        if !created && !publication.is_published().await? {
            return Err(Unpublished::Altered(publication.location()));
        }
    }
    Ok(Published {
        location: publication.location(),
        bytes: bytes(manifest, &uploaded.keys().copied().collect::<Vec<Part>>()),
        packed_bytes: packed_bytes(&uploaded),
        uploaded: uploaded.into_keys().collect(),
    })
}

/// A release that is being published.
struct Publication<'a> {
    bucket: &'a Bucket,
    folder: &'a Folder,
    progress: Progress<'a>,
}

/// The objects that contain the packed parts, by part.
type PackedParts = BTreeMap<Part, PackedPart>;

impl Publication<'_> {
    /// Returns whether the bucket contains this release. Returns an error if the bucket contains a different
    /// or unreadable manifest under the same name.
    async fn is_published(&self) -> Result<bool, Unpublished> {
        match self.read(MANIFEST).await? {
            Some(text) if Manifest::parse(&text).is_ok_and(|there| there == *self.manifest()) => Ok(true),
            Some(_) => Err(Unpublished::Altered(self.location())),
            None => Ok(false),
        }
    }

    /// Returns the packed release's description from the bucket, or `None` if there isn't one.
    async fn described(&self) -> Result<Option<PackedRelease>, Unpublished> {
        let Some(text) = self.read(PACKED).await? else { return Ok(None) };
        let refuse = |PackedError { fault, .. }| Unpublished::Described { location: self.location(), fault };
        PackedRelease::parse(&text, self.manifest()).map(Some).map_err(refuse)
    }

    /// Packs and uploads all parts, and then their description. If another process has uploaded a description
    /// in the meantime, uploads any objects that are missing according to that description. Returns the
    /// uploaded parts.
    async fn pack_and_upload(&self, parts: &[Part]) -> Result<PackedParts, Unpublished> {
        let scratch = scratch()?;
        let packed = PackedRelease::new(self.pack(parts, scratch.path()).await?);
        let text = packed.to_json();
        if text.len() > MAX_READ_BYTES {
            return Err(Unpublished::TooLarge { bytes: text.len(), most: MAX_READ_BYTES });
        }
        let mut uploaded = self.missing(&packed.parts).await?;
        self.upload(&uploaded, scratch.path()).await?;
        if !self.create(PACKED, text).await?
            && let Some(theirs) = self.described().await?
        {
            uploaded.extend(self.complete(&theirs).await?);
        }
        Ok(uploaded)
    }

    /// Packs and uploads the parts whose objects are missing from the bucket or have the wrong length.
    /// Returns the uploaded parts.
    async fn complete(&self, packed: &PackedRelease) -> Result<PackedParts, Unpublished> {
        let missing = self.missing(&packed.parts).await?;
        if missing.is_empty() {
            return Ok(missing);
        }
        let parts: Vec<Part> = missing.keys().copied().collect();
        let scratch = scratch()?;
        let again = self.pack(&parts, scratch.path()).await?;
        if let Some((part, lost)) = missing.iter().find(|(part, lost)| again[part] != **lost) {
            let (location, object) = (self.location(), lost.object.clone());
            return Err(Unpublished::PackedOtherwise { location, object, part: part.file() });
        }
        self.upload(&missing, scratch.path()).await?;
        Ok(missing)
    }

    /// Returns the parts whose objects are missing from the bucket or have the wrong length.
    async fn missing(&self, packed: &PackedParts) -> Result<PackedParts, Unpublished> {
        let mut missing = PackedParts::new();
        for (part, described) in packed {
            // Ignore parts that aren't in the manifest, because they don't belong to this release.
            if self.manifest().files.contains_key(part)
                && self.bucket.length(&self.key(&described.object)).await? != Some(described.bytes)
            {
                missing.insert(*part, described.clone());
            }
        }
        Ok(missing)
    }

    async fn pack(&self, parts: &[Part], scratch: &Path) -> Result<PackedParts, Unpublished> {
        let (mut packed, mut done, total) = (PackedParts::new(), 0, bytes(self.manifest(), parts));
        (self.progress)("packing", done, total);
        for part in parts.iter().copied() {
            let (file, into) = (self.folder.file(part), scratch.to_owned());
            let described = blocking(move || pack(part, &file, &into)).await;
            packed.insert(part, described.map_err(|error| unpackable(scratch, &error))?);
            done += bytes(self.manifest(), &[part]);
            (self.progress)("packing", done, total);
        }
        Ok(packed)
    }

    async fn upload(&self, packed: &PackedParts, scratch: &Path) -> Result<(), Unpublished> {
        let (mut done, total) = (0, packed_bytes(packed));
        let of_one = |described: &PackedPart| {
            let (key, file, bytes) =
                (self.key(&described.object), scratch.join(&described.object), described.bytes);
            async move { self.bucket.upload(&key, &file).await.map(|()| bytes) }
        };
        let uploads: Vec<_> = packed.values().map(of_one).collect();
        let mut uploads = stream::iter(uploads).buffer_unordered(PARTS_IN_FLIGHT);
        (self.progress)("uploading", done, total);
        while let Some(bytes) = uploads.try_next().await? {
            done += bytes;
            (self.progress)("uploading", done, total);
        }
        Ok(())
    }

    /// Creates a small object. Returns `false` if the object already exists.
    async fn create(&self, file: &str, text: Vec<u8>) -> Result<bool, Unpublished> {
        match self.bucket.create(&self.key(file), text).await {
            Ok(()) => Ok(true),
            Err(BucketError { failure: BucketFailure::AlreadyThere, .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a small object. Returns `None` if the object doesn't exist.
    async fn read(&self, file: &str) -> Result<Option<Vec<u8>>, Unpublished> {
        match self.bucket.read(&self.key(file)).await {
            Ok(text) => Ok(Some(text)),
            Err(BucketError { failure: BucketFailure::Missing, .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn manifest(&self) -> &Manifest {
        self.folder.manifest()
    }

    fn key(&self, object: &str) -> String {
        format!("{}/{object}", self.manifest().name)
    }

    fn location(&self) -> ReleaseLocation {
        let (bucket, name) = (self.bucket.name().to_owned(), self.manifest().name.clone());
        ReleaseLocation::Bucket { bucket, name }
    }
}

fn packed_bytes(parts: &PackedParts) -> u64 {
    parts.values().map(|part| part.bytes).sum()
}

/// Creates a temporary folder for packed files, which is deleted when the result is dropped.
fn scratch() -> Result<TempDir, Unpublished> {
    let made = tempfile::Builder::new().prefix("marquee-publish-").tempdir();
    made.map_err(|error| unpackable(&std::env::temp_dir(), &error))
}

fn unpackable(folder: &Path, error: &io::Error) -> Unpublished {
    Unpublished::Unpackable { folder: folder.to_owned(), why: error.to_string() }
}
