//! The data folder of the local process: which files lie in it, who can enter it, and which process has it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where the local process keeps its data unless it is told otherwise.
pub const LOCAL_DATA: &str = ".local/data";

const DATABASE: &str = "marquee.db";
const CREDENTIALS: &str = "credentials.json";
const LOCK: &str = "marquee.lock";

/// What a fresh start removes: the database, SQLite's two files beside it, and the credentials. The lock file
/// stays, because a lock holds the file and not its name.
const CLEARED: [&str; 4] = [DATABASE, "marquee.db-wal", "marquee.db-shm", CREDENTIALS];

/// The folder in which the local process keeps its database and its credentials; one process at a time has
/// it.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    #[error("cannot make {folder}: {source}")]
    Create { folder: PathBuf, source: io::Error },
    #[error("another marquee has {folder}; stop it, or choose another --data-dir")]
    InUse { folder: PathBuf },
    #[error("cannot lock {file}: {source}")]
    Lock { file: PathBuf, source: io::Error },
    #[error("cannot write {file}: {source}")]
    Write { file: PathBuf, source: io::Error },
    #[error("cannot remove {file} in {folder}: {source}")]
    Remove { folder: PathBuf, file: &'static str, source: io::Error },
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

    /// Returns where `LocalCredentials` lie.
    pub fn credentials_file(&self) -> PathBuf {
        self.0.join(CREDENTIALS)
    }

    /// Makes the folder, so that only its owner can enter it; one that is there stays as it is.
    pub fn create(&self) -> Result<(), DataFolderError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0).map_err(|source| DataFolderError::Create { folder: self.0.clone(), source })
    }

    /// Takes the folder for this process, for as long as the returned file is open.
    ///
    /// # Errors
    ///
    /// `InUse` when another process has it.
    pub fn lock(&self) -> Result<File, DataFolderError> {
        let path = self.0.join(LOCK);
        let file = match OpenOptions::new().create(true).truncate(false).write(true).open(&path) {
            Ok(file) => file,
            Err(source) => return Err(DataFolderError::Write { file: path, source }),
        };
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(DataFolderError::InUse { folder: self.0.clone() }),
            Err(TryLockError::Error(source)) => Err(DataFolderError::Lock { file: path, source }),
        }
    }

    /// Tells whether a process has the folder.
    pub fn is_in_use(&self) -> bool {
        self.0.join(LOCK).exists() && self.lock().is_err()
    }

    /// Removes what the engine and the local process wrote, and no other file.
    pub fn clear(&self) -> Result<(), DataFolderError> {
        for file in CLEARED {
            match std::fs::remove_file(self.0.join(file)) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(DataFolderError::Remove { folder: self.0.clone(), file, source });
                }
                _ => {}
            }
        }
        Ok(())
    }
}
