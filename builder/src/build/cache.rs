//! The cache of intermediate build results. A result depends only on its inputs, so deleting the cache never
//! changes a release.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use dataset::{FileEntry, Folder, Part, Progress, RowCounts, WriteError, sha256_of_file};
use ring::digest::{Context, SHA256};

use super::all_displays::SourceKeys;
use super::error::BuildError;
use crate::packing::{entries, remove, share};
use crate::rows::FileError;
use crate::sample::{SampleError, base_map, population, write_places_and_visits};

/// A result is deleted if it was last used more than this long before the most recently used result.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A digest of all code that can change a release's contents.
pub const CODE: &str = env!("BUILDER_CODE");

/// The file in a folder of shared parts that records each part's length, digest, and row counts.
const ENTRIES: &str = "entries.json";

/// A folder of cached results. Each result's name contains either a release name or a digest of [`CODE`] and
/// the result's inputs.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Cached parts that several releases can share.
pub(super) struct Base {
    pub(super) key: String,
    /// Each part's folder and manifest entry.
    parts: BTreeMap<Part, (PathBuf, FileEntry)>,
}

impl Cache {
    pub(super) fn open(folder: &Path) -> Result<Self, BuildError> {
        let unwritable = |source| BuildError::Cache { folder: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(unwritable)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns the geographies and the population, which depend only on the source tables in `data`.
    pub(super) fn areas(&self, data: &Path, progress: Progress<'_>) -> Result<Base, BuildError> {
        let key = self.key(&self.files_in(data, &["geographies", "segments"])?, &[])?;
        self.base(format!("areas-{key}"), |folder| population::write(data, folder, progress))
    }

    /// Returns the base map, which depends only on the source tables in `data`.
    fn base_map(&self, data: &Path) -> Result<Base, BuildError> {
        let key = self.key(&self.files_in(data, &["basemap", "geographies"])?, &[])?;
        self.base(format!("base-map-{key}"), |folder| base_map::write(data, folder))
    }

    /// Returns all parts of the sample that releases can share: the places and their modelled visits, the
    /// geographies and the population (`areas`), and the base map.
    pub(super) fn with_places(
        &self,
        areas: &Base,
        data: &Path,
        progress: Progress<'_>,
    ) -> Result<Base, BuildError> {
        let key = self.key(&self.files_in(data, &["places"])?, &[&areas.key])?;
        let inputs = [Part::Geographies, Part::Population].map(|part| areas.file(part));
        let mut base = self.base(format!("places-{key}"), |folder| {
            write_places_and_visits(data, &inputs, folder, progress)
        })?;
        base.parts.extend(areas.parts.clone());
        base.parts.extend(self.base_map(data)?.parts);
        Ok(base)
    }

    /// Returns the parts with the given cache key. If they're missing or damaged, first creates them with
    /// `write`.
    fn base(
        &self,
        key: String,
        write: impl FnOnce(&Path) -> Result<BTreeMap<Part, RowCounts>, SampleError>,
    ) -> Result<Base, BuildError> {
        let folder = self.folder.join(&key);
        if let Some(base) = Base::open(&folder, &key) {
            return Ok(base);
        }
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let new = folder.with_extension(format!("new-{}-{number}", std::process::id()));
        remove(&new).and_then(|()| fs::create_dir(&new)).map_err(|source| self.unusable(source))?;
        let written = write(&new).map_err(BuildError::from);
        let written = written.and_then(|rows| Ok(entries(&new, rows)?));
        // Remove an incomplete folder, because it could fill the disk and make the next build fail, too.
        let entries = written.inspect_err(|_| drop(remove(&new)))?;
        let json = serde_json::to_vec(&entries).expect("entries can be serialized");
        fs::write(new.join(ENTRIES), json).map_err(|source| self.unusable(source))?;
        // Another build may have written the folder first. Keep its parts, because they may be in use.
        let placed = if Base::open(&folder, &key).is_some() {
            remove(&new)
        } else {
            remove(&folder).and_then(|()| fs::rename(&new, &folder)).or_else(|_| remove(&new))
        };
        placed.map_err(|source| self.unusable(source))?;
        Base::open(&folder, &key).ok_or_else(|| self.unusable(io::ErrorKind::InvalidData.into()))
    }

    /// Computes a key from [`CODE`], the names and contents of the given files, and the given strings. The
    /// key doesn't depend on the files' folders, so copies of the source data share results.
    pub(super) fn key(&self, files: &[PathBuf], texts: &[&str]) -> Result<String, BuildError> {
        let mut context = Context::new(&SHA256);
        for text in [CODE].iter().chain(texts) {
            context.update(text.as_bytes());
            context.update(b"\n");
        }
        for file in files {
            context.update(file.file_name().unwrap_or_default().as_encoded_bytes());
            let digest = sha256_of_file(file).map_err(|source| self.unreadable(file, source))?;
            context.update(digest.as_bytes());
        }
        Ok(hex::encode(&context.finish().as_ref()[..16]))
    }

    /// Returns the result with the given key and marks it as used. Returns `None` if the result isn't in the
    /// cache or can't be read.
    pub(super) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(key);
        keep(&path);
        fs::read(path).ok()
    }

    /// Stores a result. Ignores errors, because the next build can recompute the result.
    pub(super) fn put(&self, key: &str, bytes: &[u8]) {
        let new = self.folder.join(format!("{key}.new-{}", std::process::id()));
        if fs::write(&new, bytes).and_then(|()| fs::rename(&new, self.folder.join(key))).is_err() {
            let _ = fs::remove_file(&new);
        }
    }

    /// Stores the cache keys with which a release's displays were built.
    pub(super) fn put_sources(&self, release: &Folder, keys: &SourceKeys) {
        let bytes = postcard::to_allocvec(keys).expect("writing to memory doesn't fail");
        self.put(&sources_of(release), &bytes);
    }

    /// Returns the names of the sources that have the same keys, and therefore the same displays, in
    /// `release`. Returns an empty set if `release` is `None` or its keys aren't in the cache.
    pub(super) fn unchanged(&self, release: Option<&Folder>, keys: &SourceKeys) -> BTreeSet<String> {
        let bytes = release.and_then(|release| self.get(&sources_of(release)));
        let known =
            bytes.and_then(|bytes| postcard::from_bytes::<SourceKeys>(&bytes).ok()).unwrap_or_default();
        keys.iter()
            .filter(|(name, keys)| known.get(*name) == Some(*keys))
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Deletes results that were last used over a week before the most recently used one. Ignores errors.
    pub(super) fn prune(&self) {
        let modified = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten().filter_map(modified);
        let entries: Vec<_> = entries.collect();
        let newest = entries.iter().map(|(modified, _)| *modified).max();
        for (modified, path) in entries {
            let age = newest.and_then(|newest| newest.duration_since(modified).ok());
            if age.is_some_and(|age| age > KEPT) {
                let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            }
        }
    }

    /// Lists the files in subfolders of the source data, sorted by path.
    fn files_in(&self, data: &Path, folders: &[&str]) -> Result<Vec<PathBuf>, BuildError> {
        let mut files = Vec::new();
        for folder in folders {
            let folder = data.join(folder);
            for entry in fs::read_dir(&folder).map_err(|source| self.unreadable(&folder, source))? {
                files.push(entry.map_err(|source| self.unreadable(&folder, source))?.path());
            }
        }
        files.sort();
        Ok(files)
    }

    fn unreadable(&self, file: &Path, source: io::Error) -> BuildError {
        FileError { file: file.display().to_string(), fault: source.into() }.into()
    }

    fn unusable(&self, source: io::Error) -> BuildError {
        BuildError::Cache { folder: self.folder.clone(), source }
    }
}

impl Base {
    /// Opens a folder of parts and marks it as used. Returns `None` if the folder is missing or a file
    /// doesn't match its digest, so that releases never share a damaged file.
    fn open(folder: &Path, key: &str) -> Option<Self> {
        let entries: BTreeMap<Part, FileEntry> =
            serde_json::from_slice(&fs::read(folder.join(ENTRIES)).ok()?).ok()?;
        let is_intact = |(part, entry): (&Part, &FileEntry)| {
            sha256_of_file(&folder.join(part.file())).is_ok_and(|digest| digest == entry.sha256)
        };
        if !entries.iter().all(is_intact) {
            return None;
        }
        keep(folder);
        let parts = entries.into_iter().map(|(part, entry)| (part, (folder.to_owned(), entry))).collect();
        Some(Self { key: key.to_owned(), parts })
    }

    pub(super) fn file(&self, part: Part) -> PathBuf {
        self.parts[&part].0.join(part.file())
    }

    /// Adds a part to the `release` folder, as a hard link if the file system supports it, and otherwise as a
    /// copy. Returns the part's row counts.
    pub(super) fn share(&self, part: Part, release: &Path) -> Result<RowCounts, WriteError> {
        let shared = share(&self.file(part), &release.join(part.file()));
        shared.map_err(|source| WriteError::new(part.file(), source))?;
        Ok(self.parts[&part].1.rows.clone())
    }
}

/// Returns the name under which the cache keys of a release's sources are stored.
fn sources_of(release: &Folder) -> String {
    format!("sources-{}", release.manifest().name)
}

/// Marks a result as used, so that `prune` doesn't delete it. Ignores errors, because the result can be
/// recomputed.
fn keep(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}
