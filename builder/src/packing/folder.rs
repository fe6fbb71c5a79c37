//! Writes a release into a folder, all or nothing.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dataset::{Folder, MANIFEST, Manifest, Part};

use super::error::PackError;

/// Writes a release into a folder: an older release there is replaced once the new one is whole.
///
/// # Errors
///
/// What `write` says; or when the folder holds something that is no release, or cannot be written.
pub fn write_folder<E: From<PackError>>(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<Manifest, E>,
) -> Result<Folder, E> {
    let new = NewFolder::beside(path)?;
    let manifest = write(new.path())?;
    Ok(new.put_in_place(manifest)?)
}

/// A folder beside the one that its release is for. It goes with its value.
#[derive(Debug)]
pub(crate) struct NewFolder {
    new: PathBuf,
    place: PathBuf,
}

impl NewFolder {
    /// Makes an empty folder.
    ///
    /// # Errors
    ///
    /// When the place holds something that is no release, or the folder cannot be made.
    pub(crate) fn beside(place: &Path) -> Result<Self, PackError> {
        let failed = PackError::unwritable(place);
        if !may_be_replaced(place).map_err(&failed)? {
            return Err(PackError::NoRelease(place.to_owned()));
        }
        let new = beside(place, "new");
        remove(&new).and_then(|()| fs::create_dir_all(&new)).map_err(&failed)?;
        Ok(Self { new, place: place.to_owned() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.new
    }

    /// Gives the release of the folder the place of an older one. A process that has the old files open keeps
    /// them.
    ///
    /// # Errors
    ///
    /// When the manifest cannot be written, or the folder not be moved.
    pub(crate) fn put_in_place(self, manifest: Manifest) -> Result<Folder, PackError> {
        let Self { new, place } = &self;
        let put = || {
            fs::write(new.join(MANIFEST), manifest.to_json())?;
            let old = beside(place, "old");
            if place.exists() {
                fs::rename(place, &old)?;
            }
            fs::rename(new, place)?;
            remove(&old)
        };
        put().map_err(PackError::unwritable(place))?;
        Ok(Folder::new(place.clone(), manifest))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        let _ = remove(&self.new);
    }
}

fn may_be_replaced(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => {
            entries.try_fold(true, |so_far, entry| Ok(so_far && is_of_a_release(&entry?.file_name())))
        }
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
