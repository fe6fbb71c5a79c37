//! The embedded database engine, and the folder in which the local process keeps what must outlive it.
//!
//! Decided in `docs/decisions/0025-local-ports.md`.

mod credentials;
mod data_folder;
mod fault;
mod operations;
mod router;

use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use aws::LocalEndpoint;
use dynoxide::Database;
use runtime::Clock;
use store::Connection;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use credentials::endpoint;
use fault::fault;

pub use credentials::LocalCredentials;
pub use data_folder::{DataFolder, DataFolderError, LOCAL_DATA};

/// The first characters of the local tables' names, as the template has them.
pub const TABLE_PREFIX: &str = "marquee-";

/// A DynamoDB of this process's own, on a free loopback port.
#[derive(Debug)]
pub struct Engine {
    endpoint: LocalEndpoint,
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
    #[error("cannot use {file}: {cause}")]
    Unusable { file: PathBuf, cause: String },
    #[error("cannot open a loopback port for the database: {0}")]
    NoPort(#[source] io::Error),
}

impl Engine {
    /// Starts an engine on the database in a data folder, which is made if it is not there. Its answers are
    /// dated by `clock`.
    pub async fn open(folder: &DataFolder, clock: Clock) -> Result<Self, EngineError> {
        let lock = folder.lock()?;
        let file = folder.database_file();
        let path = file.to_string_lossy();
        match Database::new(&path) {
            Ok(database) => Self::start(database, &path, clock, Some(lock)).await,
            Err(error) => {
                let cause = fault(&error).map_or_else(|| error.to_string(), str::to_owned);
                Err(EngineError::Unusable { file: file.clone(), cause })
            }
        }
    }

    /// Starts an engine that forgets everything when it stops.
    pub async fn in_memory(clock: Clock) -> Result<Self, EngineError> {
        let database = Database::memory().expect("a database in memory needs no file");
        Self::start(database, "the in-memory database", clock, None).await
    }

    /// Returns where the engine listens, such as on `http://127.0.0.1:40123`.
    pub fn endpoint(&self) -> &LocalEndpoint {
        &self.endpoint
    }

    /// Describes the local tables in this engine.
    pub fn connection(&self) -> Connection {
        Connection::new(TABLE_PREFIX, Some(self.endpoint.clone()))
    }

    /// Stops the engine once it has finished the calls that are under way.
    pub async fn stop(self) {
        let Self { stop, serving, .. } = self;
        let _ = stop.send(());
        let _ = serving.await;
    }

    async fn start(
        database: Database,
        file: &str,
        clock: Clock,
        lock: Option<File>,
    ) -> Result<Self, EngineError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(EngineError::NoPort)?;
        let address = listener.local_addr().map_err(EngineError::NoPort)?;
        let endpoint = endpoint(&format!("http://{address}"));
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        let router = router::router(database, file, clock);
        let serving = tokio::spawn(async {
            // The callers of an engine that fails see refused connections.
            let _ = axum::serve(listener, router).with_graceful_shutdown(stopped).await;
        });
        Ok(Self { endpoint, stop, serving, _lock: lock })
    }
}
