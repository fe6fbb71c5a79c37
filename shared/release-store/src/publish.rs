//! Publishing: a release in a folder becomes a packed one in a bucket.

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

/// The parts that are uploaded at once.
const PARTS_IN_FLIGHT: usize = 4;

/// A release that is in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Where it is.
    pub location: ReleaseLocation,
    /// The parts that were uploaded for it; none when all of it was there.
    pub uploaded: Vec<Part>,
    /// The bytes of these parts, as the manifest counts them.
    pub bytes: u64,
    /// The bytes that were uploaded for these parts.
    pub packed_bytes: u64,
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
    /// What the bucket says of the packed release cannot be used.
    #[error(
        "{location} cannot be completed: {PACKED}: {fault}; restore {PACKED} from an earlier version of it, or delete \
         the release from the bucket and publish it anew"
    )]
    Described { location: ReleaseLocation, fault: PackedFault },
    /// An object of a release that was published is gone, and this program packs the part otherwise.
    #[error(
        "{location} lacks {object}, and {part} packs to other bytes now; restore the object from an earlier \
         version of it, or delete the release from the bucket and publish it anew"
    )]
    PackedOtherwise { location: ReleaseLocation, object: String, part: &'static str },
    /// It has more frames than a description holds.
    #[error("the release is too large to be published: packed.json would have {bytes} bytes, at most {most}")]
    TooLarge { bytes: usize, most: usize },
    /// Its parts cannot be packed there: what the system says.
    #[error("the release cannot be packed in {}: {why}", folder.display())]
    Unpackable { folder: PathBuf, why: String },
    /// The bucket did not take it.
    #[error("the release cannot be published: {0}")]
    Bucket(#[from] BucketError),
}

/// Puts a release into a bucket, under its name, packed. The manifest comes last: what has none is no release.
///
/// What is there already is not uploaded again, and what was published is never packed in another way.
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
    let publication = Publication { bucket, folder, progress };
    let is_there = publication.is_published().await?;
    let uploaded = match publication.described().await? {
        Some(packed) => publication.complete(&packed).await?,
        None => publication.pack_anew(&parts).await?,
    };
    if !is_there {
        let manifest_text = manifest.to_json().into_bytes();
        // A try of ours whose answer was lost may have made it, or somebody who publishes the same.
        let created = publication.create(MANIFEST, manifest_text).await?;
        if !created && !publication.is_published().await? {
            return Err(Unpublished::Taken(publication.location()));
        }
    }
    Ok(Published {
        location: publication.location(),
        bytes: bytes(manifest, &uploaded.keys().copied().collect::<Vec<Part>>()),
        packed_bytes: packed_bytes(&uploaded),
        uploaded: uploaded.into_keys().collect(),
    })
}

/// A release on its way into a bucket.
struct Publication<'a> {
    bucket: &'a Bucket,
    folder: &'a Folder,
    progress: Progress<'a>,
}

/// The objects that parts are packed in.
type PackedParts = BTreeMap<Part, PackedPart>;

impl Publication<'_> {
    /// Tells whether the bucket has just this release.
    async fn is_published(&self) -> Result<bool, Unpublished> {
        match self.read(MANIFEST).await? {
            Some(text) if Manifest::parse(&text).is_ok_and(|there| there == *self.manifest()) => Ok(true),
            Some(_) => Err(Unpublished::Taken(self.location())),
            None => Ok(false),
        }
    }

    /// Returns what the bucket says of how the release is packed.
    async fn described(&self) -> Result<Option<PackedRelease>, Unpublished> {
        let Some(text) = self.read(PACKED).await? else { return Ok(None) };
        let refuse = |PackedError { fault, .. }| Unpublished::Described { location: self.location(), fault };
        PackedRelease::parse(&text, self.manifest()).map(Some).map_err(refuse)
    }

    /// Packs and uploads all parts, and describes them. Whoever described them meanwhile is right.
    async fn pack_anew(&self, parts: &[Part]) -> Result<PackedParts, Unpublished> {
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

    /// Uploads what is missing of a release that is described.
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

    /// Finds the objects that are not there, or not whole.
    async fn missing(&self, packed: &PackedParts) -> Result<PackedParts, Unpublished> {
        let mut missing = PackedParts::new();
        for (part, described) in packed {
            // What the manifest does not have is not of this release.
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

    /// Creates a small object; `false` when there is one.
    async fn create(&self, file: &str, text: Vec<u8>) -> Result<bool, Unpublished> {
        match self.bucket.create(&self.key(file), text).await {
            Ok(()) => Ok(true),
            Err(BucketError { failure: BucketFailure::AlreadyThere, .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a small object; `None` when there is none.
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

/// Makes a folder for packed files, which goes with its owner.
fn scratch() -> Result<TempDir, Unpublished> {
    let made = tempfile::Builder::new().prefix("marquee-publish-").tempdir();
    made.map_err(|error| unpackable(&std::env::temp_dir(), &error))
}

fn unpackable(folder: &Path, error: &io::Error) -> Unpublished {
    Unpublished::Unpackable { folder: folder.to_owned(), why: error.to_string() }
}
