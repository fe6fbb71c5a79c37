//! A release's folder: its manifest, and the files that it vouches for.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
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
        let text = fs::read(&file)
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
    pub fn open_part(&self, part: Part) -> Result<SectionFile, ReleaseError> {
        self.check_length(part, self.manifest.file(part)?)?;
        SectionFile::open(&self.file(part))
    }

    fn check_length(&self, part: Part, entry: &FileEntry) -> Result<(), ReleaseError> {
        let metadata = fs::metadata(self.file(part));
        let length = metadata.map_err(|error| ReleaseError::new(part.file(), error.to_string()))?.len();
        if length == entry.bytes {
            return Ok(());
        }
        let reason = format!("has {length} bytes; the manifest says {}", entry.bytes);
        Err(ReleaseError::new(part.file(), reason))
    }
}

/// Writes a release into a folder, all or nothing: an older release there is replaced once the new one is whole.
///
/// # Errors
///
/// What `write` says; or when the folder holds something that is no release.
pub fn write_folder(path: &Path, write: impl FnOnce(&Path) -> Result<Manifest, String>) -> Result<Folder, String> {
    let shown = path.display();
    let failed = |error: io::Error| format!("cannot write {shown}: {error}");
    if !may_be_replaced(path).map_err(failed)? {
        return Err(format!("{shown} holds something that is no release; choose another folder"));
    }
    let (new, old) = (beside(path, "new"), beside(path, "old"));
    remove(&new).map_err(failed)?;
    fs::create_dir_all(&new).map_err(failed)?;
    let manifest = match write(&new) {
        Ok(manifest) => manifest,
        Err(error) => {
            let _ = remove(&new);
            return Err(error);
        }
    };
    fs::write(new.join(MANIFEST), manifest.to_json()).map_err(failed)?;
    // A process that has the old files open keeps them.
    if path.exists() {
        fs::rename(path, &old).map_err(failed)?;
    }
    fs::rename(&new, path).map_err(failed)?;
    remove(&old).map_err(failed)?;
    Ok(Folder { path: path.to_owned(), manifest })
}

/// Describes a part's file for the manifest.
pub fn file_entry(folder: &Path, part: Part, rows: BTreeMap<String, u64>) -> io::Result<FileEntry> {
    let path = folder.join(part.file());
    Ok(FileEntry { bytes: fs::metadata(&path)?.len(), sha256: sha256(&path)?, rows })
}

fn may_be_replaced(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.try_fold(true, |so_far, entry| Ok(so_far && is_of_a_release(&entry?.file_name()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn is_of_a_release(file: &OsStr) -> bool {
    file == MANIFEST || Part::ALL.iter().any(|part| file == part.file())
}

/// Names a folder beside another one, on the same disk, so that a rename suffices.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{what}-{}", std::process::id()));
    path.with_file_name(name)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Sums a file up, in hexadecimal. It is read through a small buffer, so that it does not count as resident.
pub fn sha256(path: &Path) -> io::Result<String> {
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
