use std::fs::{File, OpenOptions, TryLockError};
use std::net::Ipv4Addr;
use std::path::Path;

use dynoxide::Database;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::credentials::make_folder;

/// The first characters of the local tables' names, as the template has them.
pub const TABLE_PREFIX: &str = "marquee-";

/// The embedded database engine, on a loopback port of its own.
#[derive(Debug)]
pub struct Engine {
    endpoint: String,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), String>>,
    /// Held while the engine runs: one process at a time has the file.
    _lock: Option<File>,
}

impl Engine {
    /// Starts an engine on the file in a data folder.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written, or another process has it: what to do.
    pub async fn open(data_dir: &Path) -> Result<Self, String> {
        let shown = data_dir.display();
        make_folder(data_dir).map_err(|error| format!("cannot make {shown}: {error}"))?;
        let lock = lock(data_dir)?;
        let file = data_dir.join("marquee.db");
        let file = file.to_str().ok_or_else(|| format!("{shown} is not UTF-8"))?;
        let database = Database::new(file).map_err(|error| format!("cannot open {file}: {error}"))?;
        Self::start(database, Some(lock)).await
    }

    /// Starts an engine in memory.
    ///
    /// # Errors
    ///
    /// When there is no loopback port.
    pub async fn in_memory() -> Result<Self, String> {
        let database = Database::memory().map_err(|error| format!("cannot open a database in memory: {error}"))?;
        Self::start(database, None).await
    }

    /// Tells whether a process has the data folder.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn is_running(data_dir: &Path) -> Result<bool, String> {
        Ok(data_dir.join(LOCK).exists() && lock(data_dir).is_err())
    }

    /// Returns the engine's address.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Stops the engine once what it is doing is done.
    pub async fn stop(self) {
        let Self { stop, serving, .. } = self;
        let _ = stop.send(());
        let _ = serving.await;
    }

    async fn start(database: Database, lock: Option<File>) -> Result<Self, String> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(|error| format!("no loopback port for the database: {error}"))?;
        let address = listener.local_addr().map_err(|error| format!("no loopback port for the database: {error}"))?;
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        let serving = tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, stopped));
        Ok(Self { endpoint: format!("http://{address}"), stop, serving, _lock: lock })
    }
}

const LOCK: &str = "marquee.lock";

fn lock(data_dir: &Path) -> Result<File, String> {
    let path = data_dir.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(format!("another marquee has {}; stop it, or choose another --data-dir", data_dir.display()))
        }
        Err(TryLockError::Error(error)) => Err(format!("cannot lock {}: {error}", path.display())),
    }
}
