//! The data folder of the local process: which files lie in it, who can enter it, and which process has it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where the local process keeps its data unless it is told otherwise.
pub const LOCAL_DATA: &str = ".local/data";

const DATABASE: &str = "marquee.db";
const WRITE_AHEAD_LOG: &str = "marquee.db-wal";
const SHARED_MEMORY: &str = "marquee.db-shm";
const CREDENTIALS: &str = "credentials.json";
const LOCK: &str = "marquee.lock";

/// What a fresh start removes: the database, SQLite's two files beside it, and the credentials. The lock file
/// stays, because a lock holds the file and not its name.
const CLEARED: [&str; 4] = [DATABASE, WRITE_AHEAD_LOG, SHARED_MEMORY, CREDENTIALS];

/// What only its owner can read and write, whoever made the folder.
const PRIVATE: [&str; 5] = [DATABASE, WRITE_AHEAD_LOG, SHARED_MEMORY, CREDENTIALS, LOCK];

/// The folder in which the local process keeps its database and its credentials; one process at a time has
/// it.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    #[error("cannot make {folder}: {source}; {}", remedy(source))]
    Create { folder: PathBuf, source: io::Error },
    #[error("cannot look for {file}: {source}; {}", remedy(source))]
    Look { file: PathBuf, source: io::Error },
    #[error("another marquee has {folder}; stop it, or choose another --data-dir")]
    InUse { folder: PathBuf },
    #[error("cannot lock {file}: {source}; {}", remedy(source))]
    Lock { file: PathBuf, source: io::Error },
    #[error("cannot keep {file} to its owner: {source}; remove it, or run as the user who owns it")]
    MakePrivate { file: PathBuf, source: io::Error },
    #[error("cannot write {file}: {source}; {}", remedy(source))]
    Write { file: PathBuf, source: io::Error },
    #[error("cannot remove {file} in {folder}: {source}; {}", remedy(source))]
    Remove { folder: PathBuf, file: &'static str, source: io::Error },
}

fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space on its disk, or choose a --data-dir on another"
        }
        ErrorKind::PermissionDenied => "run as the user who owns it, or choose another --data-dir",
        _ => "choose another --data-dir",
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
        let file = match private_file().create(true).truncate(false).open(&path) {
            Ok(file) => file,
            Err(source) => return Err(DataFolderError::Write { file: path, source }),
        };
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(DataFolderError::InUse { folder: self.0.clone() }),
            Err(TryLockError::Error(source)) => Err(DataFolderError::Lock { file: path, source }),
        }
    }

    /// Keeps the engine's and the local process's files to their owner, also in a folder that others may
    /// enter. The database's file is made here: SQLite gives the two beside it the same mode.
    pub fn make_private(&self) -> Result<(), DataFolderError> {
        let database = self.database_file();
        if let Err(source) = private_file().create(true).truncate(false).open(&database) {
            return Err(DataFolderError::Write { file: database, source });
        }
        for file in PRIVATE.map(|name| self.0.join(name)) {
            match keep_to_owner(&file) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(DataFolderError::MakePrivate { file, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells whether a process has the folder.
    ///
    /// # Errors
    ///
    /// When nobody can tell: the folder cannot be read.
    pub fn is_in_use(&self) -> Result<bool, DataFolderError> {
        let file = self.0.join(LOCK);
        match file.try_exists() {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(source) => return Err(DataFolderError::Look { file, source }),
        }
        match self.lock() {
            Ok(_) => Ok(false),
            Err(DataFolderError::InUse { .. }) => Ok(true),
            Err(error) => Err(error),
        }
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

/// Describes a file to write, which only its owner can read when it is new.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(unix)]
fn keep_to_owner(file: &Path) -> io::Result<()> {
    std::fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

/// On Windows a file has the access of its folder.
#[cfg(windows)]
fn keep_to_owner(_: &Path) -> io::Result<()> {
    Ok(())
}
