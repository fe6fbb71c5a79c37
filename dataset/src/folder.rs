//! A release's folder: its manifest, and the files that it vouches for.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};

use crate::ReleaseError;
use crate::file::SectionFile;
use crate::manifest::{FileEntry, MANIFEST, Manifest, Part, hexadecimal};

/// A release in a folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
}

impl Folder {
    /// Opens a folder: reads the manifest, and nothing else yet.
    ///
    /// # Errors
    ///
    /// When there is no manifest, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, ReleaseError> {
        let file = path.join(MANIFEST);
        let text = std::fs::read(&file)
            .map_err(|error| ReleaseError::new(file.display().to_string(), format!("cannot be read: {error}")))?;
        Ok(Self { path: path.to_owned(), manifest: Manifest::parse(&text)? })
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns where the release is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where a part's file is.
    pub fn file(&self, part: Part) -> PathBuf {
        self.path.join(part.file())
    }

    /// Holds files to the manifest, byte for byte.
    ///
    /// # Errors
    ///
    /// The first file that is missing, shorter, longer or otherwise than the manifest says.
    pub fn verify(&self, parts: &[Part]) -> Result<(), ReleaseError> {
        for part in parts {
            let entry = self.manifest.file(*part)?;
            self.check_length(*part, entry)?;
            let sum = sha256(&self.file(*part)).map_err(|error| ReleaseError::new(part.file(), error.to_string()))?;
            if sum != entry.sha256 {
                return Err(ReleaseError::new(part.file(), "is not what the manifest describes: its SHA-256 differs"));
            }
        }
        Ok(())
    }

    /// Opens a part's file, of the length that the manifest says.
    pub(crate) fn open_part(&self, part: Part) -> Result<SectionFile, ReleaseError> {
        self.check_length(part, self.manifest.file(part)?)?;
        SectionFile::open(&self.file(part))
    }

    fn check_length(&self, part: Part, entry: &FileEntry) -> Result<(), ReleaseError> {
        let metadata = std::fs::metadata(self.file(part));
        let length = metadata.map_err(|error| ReleaseError::new(part.file(), error.to_string()))?.len();
        if length == entry.bytes {
            return Ok(());
        }
        let reason = format!("has {length} bytes; the manifest says {}", entry.bytes);
        Err(ReleaseError::new(part.file(), reason))
    }
}

/// Sums a file up, in hexadecimal. It is read through a small buffer, so that it does not count as resident.
pub(crate) fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut context = Context::new(&SHA256);
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(context.finish().as_ref())),
            read => context.update(&buffer[..read]),
        }
    }
}
