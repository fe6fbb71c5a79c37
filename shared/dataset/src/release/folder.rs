//! A release folder: the manifest and the files that it lists.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{Fault, ReleaseError};
use super::file::{FileWriter, SectionFile};
use super::manifest::{FileEntry, MANIFEST, Manifest, Part, sha256_of_file};

/// A folder that contains a release.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
}

impl Folder {
    /// Opens a release folder. Only the manifest is read.
    pub fn open(path: &Path) -> Result<Self, ReleaseError> {
        let file = path.join(MANIFEST);
        let text = fs::read(&file).map_err(|error| {
            let reason = Fault::Unreadable(format!("cannot be read: {error}"));
            ReleaseError::new(file.display().to_string(), reason)
        })?;
        Ok(Self { path: path.to_owned(), manifest: Manifest::parse(&text)? })
    }

    /// Combines a path with a manifest that's already in memory. Doesn't access the disk.
    pub fn new(path: PathBuf, manifest: Manifest) -> Self {
        Self { path, manifest }
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a part's file.
    pub fn file(&self, part: Part) -> PathBuf {
        self.path.join(part.file())
    }

    /// Checks the size and the SHA-256 digest of the given parts' files against the manifest.
    ///
    /// # Errors
    ///
    /// Returns an error for the first file that's missing or differs.
    pub fn verify(&self, parts: &[Part]) -> Result<(), ReleaseError> {
        for part in parts {
            let entry = self.manifest.file(*part)?;
            self.check_length(*part, entry)?;
            let sum = sha256_of_file(&self.file(*part)).map_err(|error| unreadable(*part, &error))?;
            if sum != entry.sha256 {
                return Err(ReleaseError::new(part.file(), Fault::Digest));
            }
        }
        Ok(())
    }

    /// Opens the file of a part if its size matches the manifest.
    pub(crate) fn open_part(&self, part: Part) -> Result<SectionFile, ReleaseError> {
        self.check_length(part, self.manifest.file(part)?)?;
        SectionFile::open(&self.file(part))
    }

    /// Checks that the file of a derived part contains exactly the expected bytes.
    pub(crate) fn check_derived(&self, part: Part, expected: &FileWriter) -> Result<(), ReleaseError> {
        let found = fs::read(self.file(part)).map_err(|error| unreadable(part, &error))?;
        if found == expected.to_bytes() {
            return Ok(());
        }
        Err(ReleaseError::inconsistent(part.file(), "does not match the parts that it is derived from"))
    }

    fn check_length(&self, part: Part, entry: &FileEntry) -> Result<(), ReleaseError> {
        let metadata = fs::metadata(self.file(part)).map_err(|error| unreadable(part, &error))?;
        if metadata.len() == entry.bytes {
            return Ok(());
        }
        Err(ReleaseError::new(part.file(), Fault::Length { found: metadata.len(), expected: entry.bytes }))
    }
}

fn unreadable(part: Part, error: &std::io::Error) -> ReleaseError {
    ReleaseError::new(part.file(), Fault::Unreadable(error.to_string()))
}
