//! Writes releases into a folder of releases. Each release has its own folder, named after the release. The
//! `latest` symbolic link points to the most recently written release.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dataset::{Folder, MANIFEST, Manifest, Part};

use super::error::PackError;

/// The name of the symbolic link to the most recently written release.
pub const LATEST: &str = "latest";

/// The name prefix for folders that contain incomplete releases.
const INCOMPLETE: &str = ".incomplete-";

/// The name of the file that a build locks while it writes a release.
const LOCK: &str = "lock";

/// A folder for a new release. It's deleted when this value is dropped, unless the release was published.
#[derive(Debug)]
pub(crate) struct NewFolder {
    releases: PathBuf,
    path: PathBuf,
    /// Held until the folder is published or deleted.
    _lock: File,
}

impl NewFolder {
    /// Creates a folder in `releases`. Also deletes folders left behind by killed builds.
    pub(crate) fn create(releases: &Path) -> Result<Self, PackError> {
        let failed = PackError::unwritable(releases);
        fs::create_dir_all(releases).map_err(&failed)?;
        delete_abandoned(releases).map_err(&failed)?;
        let path = (0..)
            .map(|number| releases.join(format!("{INCOMPLETE}{}-{number}", std::process::id())))
            .find(|path| !path.exists())
            .expect("one of the names is free");
        fs::create_dir(&path).map_err(&failed)?;
        let lock =
            File::create(path.join(LOCK)).and_then(|lock| lock.lock().map(|()| lock)).map_err(&failed)?;
        Ok(Self { releases: releases.to_owned(), path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder to the release's name and points `latest` to it. If the release already exists and
    /// is intact, keeps the existing one.
    pub(crate) fn publish(self, manifest: &Manifest) -> Result<Folder, PackError> {
        let failed = PackError::unwritable(&self.releases);
        let place = self.releases.join(&manifest.name);
        let is_intact = Folder::open(&place).is_ok_and(|old| old.verify(&Part::ALL).is_ok());
        if !is_intact {
            fs::write(self.path.join(MANIFEST), manifest.to_json()).map_err(&failed)?;
            remove(&place).map_err(&failed)?;
            fs::remove_file(self.path.join(LOCK)).map_err(&failed)?;
            fs::rename(&self.path, &place).map_err(&failed)?;
        }
        let link = self.path.with_extension(LATEST);
        symlink(&manifest.name, &link).map_err(&failed)?;
        fs::rename(&link, self.releases.join(LATEST)).map_err(&failed)?;
        Ok(Folder::new(place, manifest.clone()))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

/// Deletes the folders of incomplete releases whose builds are no longer running. A folder without a lock
/// file is deleted only after a minute.
fn delete_abandoned(releases: &Path) -> io::Result<()> {
    for entry in fs::read_dir(releases)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(INCOMPLETE) {
            continue;
        }
        let is_abandoned = match File::open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            Err(_) => entry.metadata()?.modified()?.elapsed().is_ok_and(|age| age.as_secs() > 60),
        };
        if is_abandoned {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Deletes a folder if it exists.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
