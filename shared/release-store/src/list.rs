//! Lists the releases in a bucket.

use std::collections::BTreeMap;

use dataset::{Fault, MANIFEST, Manifest, ReleaseError};

use crate::bucket::{Bucket, BucketError, ListedObject};

/// A published release in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRelease {
    /// The name of the release's folder in the bucket.
    pub name: String,
    /// The manifest or why this program can't use it.
    pub manifest: Result<Manifest, ReleaseError>,
    /// When the release was published, as an RFC 3339 date-time.
    pub published: String,
    /// The total size of the release's objects, in bytes. Parts are stored compressed.
    pub bytes: u64,
}

/// Returns the bucket's published releases, sorted by name. Skips folders without a manifest, which is
/// uploaded last. Returns an error if the bucket can't be listed or a manifest can't be read.
pub async fn list(bucket: &Bucket) -> Result<Vec<ListedRelease>, BucketError> {
    let objects = bucket.objects().await?;
    let mut folders: BTreeMap<&str, Vec<&ListedObject>> = BTreeMap::new();
    for object in &objects {
        if let Some((folder, _)) = object.key.split_once('/') {
            folders.entry(folder).or_default().push(object);
        }
    }
    let mut releases = Vec::new();
    for (name, objects) in folders {
        let key = format!("{name}/{MANIFEST}");
        let Some(manifest) = objects.iter().find(|object| object.key == key) else { continue };
        releases.push(ListedRelease {
            name: name.to_owned(),
            manifest: parse(&bucket.read(&key).await?, name),
            published: manifest.last_modified.clone(),
            bytes: objects.iter().map(|object| object.size).sum(),
        });
    }
    Ok(releases)
}

/// Parses a manifest. Returns an error if it's invalid or contains a different release name.
fn parse(text: &[u8], name: &str) -> Result<Manifest, ReleaseError> {
    let manifest = Manifest::parse(text)?;
    if manifest.name == name {
        return Ok(manifest);
    }
    Err(ReleaseError::new(MANIFEST, Fault::OtherRelease(manifest.name)))
}
