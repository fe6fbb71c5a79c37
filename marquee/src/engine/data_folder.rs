//! The data folder of the local process: its files, and which process uses it.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Where the local process keeps its data by default.
pub const LOCAL_DATA: &str = ".local/data";

const DATABASE: &str = "marquee.db";
const CREDENTIALS: &str = "credentials.json";
const LOCK: &str = "marquee.lock";

/// What `clear` removes: the database, SQLite's two files beside it, and the credentials. The lock file
/// stays, because a lock is on the file and not on its name.
const CLEARED: [&str; 4] = [DATABASE, "marquee.db-wal", "marquee.db-shm", CREDENTIALS];

/// The folder in which the local process keeps its database and its credentials; one process at a time uses
/// it.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// Why a data folder cannot be used.
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
    /// Names a folder; nothing is made yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns where the folder is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns where the engine keeps the tables.
    pub fn database_file(&self) -> PathBuf {
        self.0.join(DATABASE)
    }

    /// Returns where `LocalCredentials` are.
    pub fn credentials_file(&self) -> PathBuf {
        self.0.join(CREDENTIALS)
    }

    /// Reserves the folder for this process, for as long as the returned file is open. A folder that does not
    /// exist is made, so that only its owner can enter it.
    ///
    /// # Errors
    ///
    /// `InUse` when another process uses it.
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

    /// Removes what the engine and the local process wrote, and no other file.
    ///
    /// # Errors
    ///
    /// `InUse` when another process uses the folder.
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
