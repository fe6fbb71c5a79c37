//! Fetches releases from a bucket and caches them in a folder. While one process fetches a release, others
//! wait for it.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Instant;

use dataset::{Fault, Folder, MANIFEST, Manifest, Part, ReleaseError};
use futures_util::future::join;

use crate::bucket::Bucket;
use crate::config::ReleaseConfig;
use crate::fetch::Fetch;
use crate::location::ReleaseLocation;
use crate::packed::{PACKED, PackedRelease};
use crate::room::{check_disk, check_memory};
use crate::unavailable::ReleaseUnavailable;
use crate::verify::{blocking, verify};

/// A release that is ready for use.
pub(super) struct Opened {
    pub(super) folder: Folder,
    /// When the last byte arrived or, for a cached release, when opening it started.
    pub(super) fetched_at: Instant,
    /// The number of packed bytes that were fetched, or 0 if the release was cached.
    pub(super) fetched_bytes: u64,
}

/// A release in a bucket, and its cache folder.
pub(super) struct Cache<'a> {
    pub(super) bucket: &'a Bucket,
    pub(super) name: &'a str,
    pub(super) config: &'a ReleaseConfig,
}

impl Cache<'_> {
    /// Opens the release from the cache. Fetches it first if cached files are missing or damaged.
    pub(super) async fn open(&self, parts: &[Part]) -> Result<Opened, ReleaseUnavailable> {
        let cache = &self.config.cache;
        let home = cache.join(self.name);
        fs::create_dir_all(cache).map_err(|error| unwritable(cache, &error))?;
        // Let only one process fetch at a time. The operating system releases the lock even if the process
        // crashes.
        let _lock = self.lock().await?;
        let fetched_at = Instant::now();
        if let Ok(folder) = Folder::open(&home)
            && folder.manifest().name == self.name
        {
            check_memory(folder.manifest(), parts, self.config.memory_mb)?;
            if verify(&folder, parts).await.is_ok() {
                return Ok(Opened { folder, fetched_at, fetched_bytes: 0 });
            }
        }
        let partial = cache.join(format!("{}.partial", self.name));
        let fetched = self.fetch(&partial, &home, parts).await;
        if fetched.is_err() {
            // Ignore errors, because leftover files only waste disk space and the original error is more
            // useful.
            let _ = fs::remove_dir_all(&partial);
        }
        fetched
    }

    /// Fetches and verifies parts in a temporary folder, and then moves the folder into place, so a cached
    /// release is always complete.
    async fn fetch(&self, partial: &Path, home: &Path, parts: &[Part]) -> Result<Opened, ReleaseUnavailable> {
        clear(partial)?;
        fs::create_dir(partial).map_err(|error| unwritable(partial, &error))?;
        let key = |file: &str| format!("{}/{file}", self.name);
        let (manifest_key, packed_key) = (key(MANIFEST), key(PACKED));
        let (manifest_text, packed_text) =
            join(self.bucket.read(&manifest_key), self.bucket.read(&packed_key)).await;
        let manifest_text = manifest_text?;
        let manifest = self.manifest(&manifest_text, parts)?;
        let packed = PackedRelease::parse(&packed_text?, &manifest)
            .map_err(|error| ReleaseUnavailable::Packed { location: self.location(), error })?;
        let path = partial.join(MANIFEST);
        fs::write(&path, manifest_text).map_err(|error| unwritable(&path, &error))?;
        let fetch = Fetch { bucket: self.bucket, manifest: &manifest, packed: &packed, folder: partial };
        let (fetched_at, fetched_bytes) = fetch.parts(parts).await?;
        clear(home)?;
        fs::rename(partial, home).map_err(|error| unwritable(home, &error))?;
        let folder = Folder::new(home.to_owned(), manifest);
        Ok(Opened { folder, fetched_at, fetched_bytes })
    }

    /// Parses the release's manifest. Returns an error if it belongs to a different release, or if the parts
    /// don't fit on the disk or in memory.
    fn manifest(&self, text: &[u8], parts: &[Part]) -> Result<Manifest, ReleaseUnavailable> {
        let manifest = Manifest::parse(text).map_err(|error| self.unusable(error))?;
        if manifest.name != self.name {
            let fault = Fault::OtherRelease(manifest.name);
            return Err(self.unusable(ReleaseError::new(MANIFEST, fault)));
        }
        check_memory(&manifest, parts, self.config.memory_mb)?;
        let cache = &self.config.cache;
        let free = (self.config.free_bytes)(cache).map_err(|error| unwritable(cache, &error))?;
        check_disk(&manifest, parts, cache, free)?;
        Ok(manifest)
    }

    async fn lock(&self) -> Result<File, ReleaseUnavailable> {
        let path = self.config.cache.join(format!("{}.lock", self.name));
        let opened = path.clone();
        let locked = blocking(move || {
            let file = File::options().create(true).truncate(false).write(true).open(opened)?;
            file.lock()?;
            Ok(file)
        });
        locked.await.map_err(|error| unwritable(&path, &error))
    }

    fn unusable(&self, error: ReleaseError) -> ReleaseUnavailable {
        ReleaseUnavailable::Unusable { location: self.location(), error }
    }

    fn location(&self) -> ReleaseLocation {
        ReleaseLocation::Bucket { bucket: self.bucket.name().to_owned(), name: self.name.to_owned() }
    }
}

fn clear(folder: &Path) -> Result<(), ReleaseUnavailable> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(folder, &error)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, error: &io::Error) -> ReleaseUnavailable {
    ReleaseUnavailable::Cache { path: path.to_owned(), why: error.to_string() }
}
