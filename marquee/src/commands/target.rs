//! Runs commands for organizations, keys, credits, and measurements on the tables of the local process or of
//! a stack in AWS.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use gateway::{App, Config};
use runtime::{Clock, Random};
use serde_json::Value;
use store::{Connection, create_tables};
use tracing::Level;
use tracing_subscriber::filter::Targets;

use super::cloud::cloud;
use super::error::CommandError;
use crate::administrator::AdministratorError;
use crate::engine::{
    DataFolder, DataFolderError, Engine, EngineError, LOCAL_DATA, LocalCredentials, TABLE_PREFIX,
};
use crate::failure::Failure;
use crate::logging;
use crate::output::print_line;

/// A command, and the options that select its tables.
#[derive(Args, Debug)]
pub struct OnTarget<C: Subcommand> {
    /// The local process's data folder.
    #[arg(long, value_name = "DIR", default_value = LOCAL_DATA, global = true)]
    data_dir: PathBuf,
    /// Use the tables with this prefix in AWS, with the credentials and region from the environment.
    #[arg(long, value_name = "PREFIX", global = true)]
    table_prefix: Option<String>,
    #[command(subcommand)]
    command: C,
}

/// A connection to the selected tables.
struct Open {
    connection: Connection,
    /// The engine, if this process started it.
    engine: Option<Engine>,
    /// Describes the selected tables and how to select others. It's added to the error for an unknown
    /// organization.
    searched: String,
}

impl<C: Subcommand> OnTarget<C> {
    /// Connects to the tables, runs the command, and prints its result as JSON.
    pub async fn run(self, run: impl AsyncFnOnce(C, &App) -> Result<Value, Failure>) -> Result<(), Failure> {
        let Self { data_dir, table_prefix, command } = self;
        log_events();
        let Open { connection, engine, searched } = match table_prefix {
            Some(prefix) => in_cloud(&prefix).await?,
            None => in_data_folder(DataFolder::new(data_dir)).await?,
        };
        let app = App::new(Config::new(connection), Clock::System, Random::System);
        if engine.is_some() {
            create_tables(&app.dynamo).await?;
        }
        let result = run(command, &app).await;
        if let Some(engine) = engine {
            engine.stop().await;
        }
        let shown = result.map_err(|failure| match failure.downcast_ref() {
            Some(AdministratorError::UnknownOrg(_)) => format!("{failure} in {searched}").into(),
            _ => failure,
        })?;
        Ok(print_line(format_args!("{shown:#}"))?)
    }
}

/// Logs measurement events and the store's warnings to standard error, because standard output is for the
/// command's result.
fn log_events() {
    let targets = Targets::new().with_target("measurement", Level::INFO).with_target("store", Level::WARN);
    logging::init(targets, std::io::stderr);
}

async fn in_cloud(table_prefix: &str) -> Result<Open, Failure> {
    let cloud = cloud().await?;
    let region = cloud.region().map(ToString::to_string).unwrap_or_default();
    let connection = Connection { cloud: Some(cloud), ..Connection::new(table_prefix, None) };
    let searched = format!(
        "the tables {table_prefix}* in {region}; create it with `marquee org create`, or check the prefix \
         and the region"
    );
    Ok(Open { connection, engine: None, searched })
}

/// Connects to the tables in a data folder. Uses the running engine if another process has the folder open,
/// and starts an engine otherwise.
async fn in_data_folder(folder: DataFolder) -> Result<Open, Failure> {
    let path = folder.path();
    if matches!(path.try_exists(), Ok(false)) {
        return Err(CommandError::NoDataFolder(path.to_owned()).into());
    }
    let searched = format!(
        "the local tables in {}; create it with `marquee org create`, or set --table-prefix to use the \
         tables in AWS",
        path.display()
    );
    let (connection, engine) = match Engine::open(&folder, Clock::System).await {
        Ok(engine) => (engine.connection(), Some(engine)),
        Err(EngineError::DataFolder(DataFolderError::InUse(path))) => {
            let known = LocalCredentials::read(&folder).ok_or(CommandError::Starting(path))?;
            (Connection::new(TABLE_PREFIX, Some(known.engine())), None)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Open { connection, engine, searched })
}
