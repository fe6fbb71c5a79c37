//! Writes a release to a folder atomically.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dataset::{Folder, MANIFEST, Manifest, Part};

use super::error::PackError;

/// Writes a release to a folder. An older release in the folder is replaced once the new release is complete.
///
/// # Errors
///
/// Fails if `write` fails, if the folder isn't writable, or if it contains anything other than a release.
pub fn write_folder<E: From<PackError>>(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<Manifest, E>,
) -> Result<Folder, E> {
    let failed = PackError::unwritable(path);
    if !may_be_replaced(path).map_err(&failed)? {
        return Err(PackError::NotARelease(path.to_owned()).into());
    }
    let new = NewFolder(beside(path, "new"));
    remove(&new.0).and_then(|()| fs::create_dir_all(&new.0)).map_err(&failed)?;
    let manifest = write(&new.0)?;
    put_in_place(&new.0, path, &manifest).map_err(&failed)?;
    Ok(Folder::new(path.to_owned(), manifest))
}

/// A temporary folder that is deleted when this value is dropped, unless the folder has been renamed.
struct NewFolder(PathBuf);

impl Drop for NewFolder {
    fn drop(&mut self) {
        let _ = remove(&self.0);
    }
}

/// Replaces an older release with a new one. Processes that have opened files of the old release can continue
/// to read them.
fn put_in_place(new: &Path, place: &Path, manifest: &Manifest) -> io::Result<()> {
    fs::write(new.join(MANIFEST), manifest.to_json())?;
    let old = beside(place, "old");
    if place.exists() {
        fs::rename(place, &old)?;
    }
    fs::rename(new, place)?;
    remove(&old)
}

fn may_be_replaced(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => {
            entries.try_fold(true, |so_far, entry| Ok(so_far && is_release_file(&entry?.file_name())))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn is_release_file(file: &OsStr) -> bool {
    file == MANIFEST || Part::ALL.iter().any(|part| file == part.file())
}

/// Returns the path of a folder next to `path`. It's on the same file system, so the folder can be moved by
/// renaming.
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
