//! The local process's data folder, with its files and its lock.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The local process's default data folder.
pub const LOCAL_DATA: &str = ".local/data";

const DATABASE: &str = "marquee.db";
const CREDENTIALS: &str = "credentials.json";
const LOCK: &str = "marquee.lock";

/// The files that `clear` deletes: the database, its two auxiliary files, and the credentials. The lock file
/// isn't deleted, because another process could then create and lock a new one.
const CLEARED: [&str; 4] = [DATABASE, "marquee.db-wal", "marquee.db-shm", CREDENTIALS];

/// The folder with the local process's database and credentials. Only one process can use it at a time.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// The reason that a data folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    #[error("{0} is in use by another marquee process; stop it, or choose another --data-dir")]
    InUse(PathBuf),
    #[error("cannot {action} {path}: {source}; {}", remedy(source))]
    Failed { action: &'static str, path: PathBuf, source: io::Error },
}

fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space on its disk, or choose a --data-dir on another disk"
        }
        ErrorKind::PermissionDenied => "run as the user who owns it, or choose another --data-dir",
        _ => "choose another --data-dir",
    }
}

impl DataFolderError {
    pub(super) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Failed { action, path, source }
    }
}

impl DataFolder {
    /// Creates a handle to a folder, which doesn't have to exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path of the database file, which may not exist.
    pub fn database_file(&self) -> PathBuf {
        self.0.join(DATABASE)
    }

    /// Returns the path of the credentials file, which may not exist.
    pub fn credentials_file(&self) -> PathBuf {
        self.0.join(CREDENTIALS)
    }

    /// Locks the folder until the returned file is closed. If the folder doesn't exist, creates it for the
    /// current user only.
    ///
    /// # Errors
    ///
    /// Returns [`DataFolderError::InUse`] if another process uses the folder.
    pub fn lock(&self) -> Result<File, DataFolderError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        made.map_err(DataFolderError::failed("create", &self.0))?;
        let path = self.0.join(LOCK);
        let file = File::create(&path).map_err(DataFolderError::failed("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(DataFolderError::InUse(self.0.clone())),
            Err(TryLockError::Error(source)) => Err(DataFolderError::failed("lock", &path)(source)),
        }
    }

    /// Deletes the database and the credentials, but no other files.
    ///
    /// # Errors
    ///
    /// Returns [`DataFolderError::InUse`] if another process uses the folder.
    pub fn clear(&self) -> Result<(), DataFolderError> {
        let _lock = self.lock()?;
        for file in CLEARED.map(|name| self.0.join(name)) {
            match std::fs::remove_file(&file) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(DataFolderError::failed("delete", &file)(source));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
