//! What a command acts on: the tables of the local process, or those in the cloud.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use shared::App;
use shared::dynamo::{StoreError, create_tables};
use shared::runtime::{Clock, Config, ConfigError, Connection, Environment, Random, read_purchase_names};
use shared::types::PurchaseNames;

use super::cloud::{CloudError, cloud};
use crate::engine::{
    DataFolder, DataFolderError, Engine, EngineError, LOCAL_DATA, LocalCredentials, TABLE_PREFIX,
};

/// The tables that a command acts on.
#[derive(Args, Debug)]
pub(super) struct Target {
    /// The data folder of the local process.
    #[arg(long, value_name = "DIR", default_value = LOCAL_DATA, global = true)]
    data_dir: PathBuf,
    /// Acts on the tables of this prefix in AWS, with the credentials and region of the environment.
    #[arg(long, value_name = "PREFIX", global = true)]
    table_prefix: Option<String>,
}

/// Where a target's tables are, for whoever misses something in them.
#[derive(Debug)]
pub enum Searched {
    Folder(PathBuf),
    Cloud { table_prefix: String, region: String },
}

/// Why a target cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error(transparent)]
    Cloud(#[from] CloudError),
    #[error("there is no {0}; start `marquee serve` once to make it")]
    NoDataFolder(PathBuf),
    #[error("another marquee is starting in {0}; try again in a moment")]
    Starting(PathBuf),
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Tables(#[from] StoreError),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A target that is open, with the engine if this process started one for it.
pub(super) struct OpenTarget {
    pub(super) app: App,
    engine: Option<Engine>,
    searched: Searched,
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(
                f,
                "the local tables in {}; create it with `marquee org create`, or name the cloud's tables \
                 with --table-prefix",
                folder.display()
            ),
            Self::Cloud { table_prefix, region } => write!(
                f,
                "the tables {table_prefix}* of {region}; create it with `marquee org create`, or look \
                 whether prefix and region are right"
            ),
        }
    }
}

impl Target {
    pub(super) async fn open(self) -> Result<OpenTarget, TargetError> {
        let Self { data_dir, table_prefix } = self;
        let purchase_names = read_purchase_names(&Environment::Process)?;
        match table_prefix {
            Some(prefix) => in_cloud(&prefix, purchase_names).await,
            None => in_data_folder(&DataFolder::new(data_dir), purchase_names).await,
        }
    }
}

impl OpenTarget {
    /// Stops the engine if this process started it, and returns where the tables are.
    pub(super) async fn close(self) -> Searched {
        if let Some(engine) = self.engine {
            engine.stop().await;
        }
        self.searched
    }
}

async fn in_cloud(table_prefix: &str, purchase_names: PurchaseNames) -> Result<OpenTarget, TargetError> {
    let mut connection = Connection::new(table_prefix, None);
    let cloud = cloud().await?;
    let region = cloud.region().map(ToString::to_string).unwrap_or_default();
    let searched = Searched::Cloud { table_prefix: table_prefix.to_owned(), region };
    connection.cloud = Some(cloud);
    Ok(OpenTarget { app: app_on(connection, purchase_names), engine: None, searched })
}

/// Uses the engine of the process that has the folder, or starts one when none has it.
async fn in_data_folder(
    folder: &DataFolder,
    purchase_names: PurchaseNames,
) -> Result<OpenTarget, TargetError> {
    let searched = Searched::Folder(folder.path().to_owned());
    if folder.is_in_use()? {
        let Some(known) = LocalCredentials::read(folder) else {
            return Err(TargetError::Starting(folder.path().to_owned()));
        };
        let app = app_on(Connection::new(TABLE_PREFIX, Some(known.engine())), purchase_names);
        return Ok(OpenTarget { app, engine: None, searched });
    }
    if !folder.path().exists() {
        return Err(TargetError::NoDataFolder(folder.path().to_owned()));
    }
    let engine = Engine::open(folder, Clock::System).await?;
    let app = app_on(engine.connection(), purchase_names);
    create_tables(&app.dynamo).await?;
    Ok(OpenTarget { app, engine: Some(engine), searched })
}

fn app_on(connection: Connection, purchase_names: PurchaseNames) -> App {
    let config = Config { purchase_names, ..Config::new(connection) };
    App::new(config, Clock::System, Random::System)
}
