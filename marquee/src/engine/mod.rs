//! The local process's embedded database engine and data folder.
//!
//! See `docs/decisions/0025-local-ports.md`.

mod credentials;
mod data_folder;
mod fault;
mod operations;
mod router;
mod stream;

use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use aws::LocalEndpoint;
use dynoxide::Database;
use runtime::Clock;
use store::Connection;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use credentials::endpoint;
use fault::described;
use stream::Stream;

pub use credentials::LocalCredentials;
pub use data_folder::{DataFolder, DataFolderError, LOCAL_DATA};
pub use stream::Records;

/// The prefix of the local tables' names, which is the default in template.yaml.
pub const TABLE_PREFIX: &str = "marquee-";

/// An embedded database engine that is compatible with DynamoDB. It listens on a free loopback port.
#[derive(Debug)]
pub struct Engine {
    endpoint: LocalEndpoint,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
    stream: Arc<Stream>,
    /// The lock on the data folder, which is held while the engine runs. `None` for an in-memory database.
    _lock: Option<File>,
}

/// The reason that the engine can't start.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    #[error("{0}")]
    Unusable(String),
    #[error("cannot open a loopback port for the database: {0}")]
    NoPort(#[source] io::Error),
}

impl Engine {
    /// Starts an engine for the database in a data folder and creates both if they don't exist. `clock`
    /// determines the `Date` header in responses.
    pub async fn open(folder: &DataFolder, clock: Clock) -> Result<Self, EngineError> {
        let lock = folder.lock()?;
        let file = folder.database_file();
        let path = file.to_string_lossy();
        let database =
            Database::new(&path).map_err(|error| EngineError::Unusable(described(&path, &error)))?;
        Self::start(database, &path, clock, Some(lock)).await
    }

    /// Starts an engine with an in-memory database.
    pub async fn in_memory(clock: Clock) -> Result<Self, EngineError> {
        let database = Database::memory().expect("an in-memory database always opens");
        Self::start(database, "the in-memory database", clock, None).await
    }

    /// Returns the engine's endpoint, with a URL such as `http://127.0.0.1:40123`.
    pub fn endpoint(&self) -> &LocalEndpoint {
        &self.endpoint
    }

    /// Returns a connection to the local tables.
    pub fn connection(&self) -> Connection {
        Connection::new(TABLE_PREFIX, Some(self.endpoint.clone()))
    }

    /// Returns a queue that receives a record of each write from now on, as the tables' streams do. Each call
    /// closes the queue that the previous call returned.
    pub fn records(&self) -> Records {
        self.stream.records()
    }

    /// Waits for the calls in progress and stops the engine.
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
        let stream = Arc::new(Stream::new(TABLE_PREFIX, clock.clone()));
        let router = router::router(database, file, stream.clone(), clock);
        let serving = tokio::spawn(async {
            // If the server fails, its connections are refused.
            let _ = axum::serve(listener, router).with_graceful_shutdown(stopped).await;
        });
        Ok(Self { endpoint, stop, serving, stream, _lock: lock })
    }
}
