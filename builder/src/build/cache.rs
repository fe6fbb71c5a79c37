//! Results of earlier builds that depend only on their inputs. Deleting the cache never changes a release.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dataset::{FileEntry, Part, Progress, RowCounts, WriteError, sha256_of_file};
use ring::digest::{Context, SHA256};

use super::error::BuildError;
use crate::packing::{entries, remove, share};
use crate::rows::FileError;
use crate::sample::write_base;

/// Results that are older than the newest one by more than this are deleted.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The file of a base folder with the length, digest, and number of rows of each part.
const ENTRIES: &str = "entries.json";

/// A folder with results of earlier builds. The name of each result is a digest of its inputs and of the
/// program.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    program: String,
}

/// The parts that every release is built from.
pub(super) struct Base {
    pub(super) key: String,
    folder: PathBuf,
    entries: BTreeMap<Part, FileEntry>,
}

impl Cache {
    pub(super) fn open(folder: &Path) -> Result<Self, BuildError> {
        let unwritable = |source| BuildError::Cache { folder: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(unwritable)?;
        let program =
            std::env::current_exe().and_then(|program| sha256_of_file(&program)).map_err(unwritable)?;
        Ok(Self { folder: folder.to_owned(), program })
    }

    /// Returns the base parts. Writes them unless an earlier build of the same source data did.
    pub(super) fn base(&self, data: &Path, progress: Progress<'_>) -> Result<Base, BuildError> {
        let key =
            format!("base-{}", self.key(&files_below(data).map_err(|source| self.unusable(source))?, &[])?);
        let folder = self.folder.join(&key);
        if let Some(base) = Base::open(&folder, &key) {
            return Ok(base);
        }
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let new = folder.with_extension(format!("new-{}-{number}", std::process::id()));
        remove(&new).and_then(|()| fs::create_dir(&new)).map_err(|source| self.unusable(source))?;
        let written = write_base(data, &new, progress).map_err(BuildError::from);
        let written = written.and_then(|rows| Ok(entries(&new, rows)?));
        // On a full disk, an incomplete folder would make the next build fail, too.
        let entries = written.inspect_err(|_| drop(remove(&new)))?;
        let json = serde_json::to_vec(&entries).expect("entries can be serialized");
        fs::write(new.join(ENTRIES), json).map_err(|source| self.unusable(source))?;
        // Another build may have been faster. Its parts may be in use, so they stay.
        let placed = if Base::open(&folder, &key).is_some() {
            remove(&new)
        } else {
            remove(&folder).and_then(|()| fs::rename(&new, &folder)).or_else(|_| remove(&new))
        };
        placed.map_err(|source| self.unusable(source))?;
        Base::open(&folder, &key).ok_or_else(|| self.unusable(io::ErrorKind::InvalidData.into()))
    }

    /// Returns the digest of the program, of files, and of strings.
    pub(super) fn key(&self, files: &[PathBuf], texts: &[&str]) -> Result<String, BuildError> {
        let mut context = Context::new(&SHA256);
        for text in [self.program.as_str()].iter().chain(texts) {
            context.update(text.as_bytes());
            context.update(b"\n");
        }
        for file in files {
            context.update(file.to_string_lossy().as_bytes());
            let digest = sha256_of_file(file).map_err(|source| self.unreadable(file, source))?;
            context.update(digest.as_bytes());
        }
        Ok(hex::encode(&context.finish().as_ref()[..16]))
    }

    /// Returns a result of an earlier build.
    pub(super) fn get(&self, key: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(key)).ok()
    }

    /// Stores a result. A result that can't be stored is computed again by the next build.
    pub(super) fn put(&self, key: &str, bytes: &[u8]) {
        let new = self.folder.join(format!("{key}.new-{}", std::process::id()));
        if fs::write(&new, bytes).and_then(|()| fs::rename(&new, self.folder.join(key))).is_err() {
            let _ = fs::remove_file(&new);
        }
    }

    /// Deletes old results.
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

    fn unreadable(&self, file: &Path, source: io::Error) -> BuildError {
        FileError { file: file.display().to_string(), fault: source.into() }.into()
    }

    fn unusable(&self, source: io::Error) -> BuildError {
        BuildError::Cache { folder: self.folder.clone(), source }
    }
}

impl Base {
    /// Opens a folder with base parts. Returns `None` if it's missing or damaged: releases share its files.
    fn open(folder: &Path, key: &str) -> Option<Self> {
        let entries: BTreeMap<Part, FileEntry> =
            serde_json::from_slice(&fs::read(folder.join(ENTRIES)).ok()?).ok()?;
        let is_intact = |(part, entry): (&Part, &FileEntry)| {
            sha256_of_file(&folder.join(part.file())).is_ok_and(|digest| digest == entry.sha256)
        };
        let (folder, key) = (folder.to_owned(), key.to_owned());
        entries.iter().all(is_intact).then_some(Self { key, folder, entries })
    }

    pub(super) fn file(&self, part: Part) -> PathBuf {
        self.folder.join(part.file())
    }

    /// Adds a part to a release.
    pub(super) fn share(&self, part: Part, release: &Path) -> Result<RowCounts, WriteError> {
        let shared = share(&self.file(part), &release.join(part.file()));
        shared.map_err(|source| WriteError::new(part.file(), source))?;
        Ok(self.entries[&part].rows.clone())
    }
}

/// Returns the files in a folder and its subfolders, in order.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in ["geographies", "places", "segments"] {
        for entry in fs::read_dir(folder.join(name))? {
            files.push(entry?.path());
        }
    }
    files.sort();
    Ok(files)
}
