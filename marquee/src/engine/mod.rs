//! The embedded database engine, and the folder in which the local process keeps what must outlive it.

mod credentials;
mod data_folder;

use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use dynoxide::{Database, DynoxideError};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub use credentials::LocalCredentials;
pub use data_folder::{DataFolder, DataFolderError, LOCAL_DATA};

/// The first characters of the local tables' names, as the template has them.
pub const TABLE_PREFIX: &str = "marquee-";

/// A DynamoDB of this process's own, on a free loopback port.
#[derive(Debug)]
pub struct Engine {
    endpoint: String,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
    /// Held while the engine runs on a folder.
    _lock: Option<File>,
}

/// Why the engine does not start.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    #[error("{folder} is not UTF-8")]
    NotUtf8 { folder: PathBuf },
    #[error("cannot open {file}: {source}")]
    Open { file: PathBuf, source: DynoxideError },
    #[error("cannot open a database in memory: {0}")]
    OpenInMemory(#[source] DynoxideError),
    #[error("no loopback port for the database: {0}")]
    NoPort(#[source] io::Error),
}

impl Engine {
    /// Starts an engine on the database in a data folder, which is made if it is not there.
    pub async fn open(folder: &DataFolder) -> Result<Self, EngineError> {
        folder.create()?;
        let lock = folder.lock()?;
        let file = folder.database_file();
        let Some(path) = file.to_str() else {
            return Err(EngineError::NotUtf8 { folder: folder.path().to_owned() });
        };
        match Database::new(path) {
            Ok(database) => Self::start(database, Some(lock)).await,
            Err(source) => Err(EngineError::Open { file, source }),
        }
    }

    /// Starts an engine that forgets everything when it stops.
    pub async fn in_memory() -> Result<Self, EngineError> {
        let database = Database::memory().map_err(EngineError::OpenInMemory)?;
        Self::start(database, None).await
    }

    /// Returns the engine's address, such as `http://127.0.0.1:40123`.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Stops the engine once it has finished the calls that are under way.
    pub async fn stop(self) {
        let Self { stop, serving, .. } = self;
        let _ = stop.send(());
        let _ = serving.await;
    }

    async fn start(database: Database, lock: Option<File>) -> Result<Self, EngineError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(EngineError::NoPort)?;
        let address = listener.local_addr().map_err(EngineError::NoPort)?;
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        let serving = tokio::spawn(async {
            // The callers of an engine that fails see refused connections.
            let _ = dynoxide::server::serve_with_shutdown(listener, database, stopped).await;
        });
        Ok(Self { endpoint: format!("http://{address}"), stop, serving, _lock: lock })
    }
}
