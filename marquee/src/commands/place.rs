use std::error::Error;
use std::path::PathBuf;

use aws_config::{BehaviorVersion, SdkConfig};
use clap::Args;
use shared::App;
use shared::aws::https_client;
use shared::dynamo::create_tables;
use shared::runtime::Config;
use shared::runtime::{Clock, Connection, Random};

use crate::local::{Engine, LocalCredentials, TABLE_PREFIX};

/// Where a command acts: a data folder here, or tables in the cloud.
#[derive(Args, Clone, Debug)]
pub(super) struct Place {
    /// The data folder of the local process.
    #[arg(long, value_name = "DIR", default_value = ".local/data", global = true)]
    data_dir: PathBuf,
    /// Act on the cloud's tables with this prefix, by the AWS credentials and region of the environment.
    #[arg(long, value_name = "PREFIX", global = true)]
    table_prefix: Option<String>,
}

/// A place that is open, with the engine that a command started for itself.
pub(super) struct Opened {
    pub(super) app: App,
    engine: Option<Engine>,
}

impl Place {
    /// Opens the place: the cloud, the engine of a running process, or the data folder's file.
    pub(super) async fn open(&self) -> Result<Opened, String> {
        if let Some(prefix) = &self.table_prefix {
            let mut connection = Connection::new(prefix, None);
            connection.cloud = Some(cloud().await?);
            return Ok(Opened { app: app(connection), engine: None });
        }
        if Engine::is_running(&self.data_dir)? {
            let known = LocalCredentials::read(&self.data_dir);
            let known = known.ok_or_else(|| {
                format!("a marquee starts in {} right now; try again in a moment", self.data_dir.display())
            })?;
            let app = app(Connection::new(TABLE_PREFIX, Some(known.dynamodb_endpoint)));
            return Ok(Opened { app, engine: None });
        }
        if !self.data_dir.exists() {
            return Err(format!("there is no {}; start `marquee serve` once to make it", self.data_dir.display()));
        }
        let engine = Engine::open(&self.data_dir).await?;
        let app = app(Connection::new(TABLE_PREFIX, Some(engine.endpoint().to_owned())));
        create_tables(&app.dynamo).await.map_err(|error| error.to_string())?;
        Ok(Opened { app, engine: Some(engine) })
    }
}

impl Opened {
    /// Closes what was opened.
    pub(super) async fn close(self) {
        if let Some(engine) = self.engine {
            engine.stop().await;
        }
    }
}

fn app(connection: Connection) -> App {
    App::new(Config::new(connection), Clock::System, Random::System)
}

/// Finds the operator's region and credentials, in the environment and in profiles.
pub(super) async fn cloud() -> Result<SdkConfig, String> {
    let found = aws_config::defaults(BehaviorVersion::latest()).http_client(https_client()).load().await;
    if found.region().is_none() {
        return Err("no AWS region was found; set AWS_REGION, or AWS_PROFILE to a profile that names one".to_owned());
    }
    // Asked for here, because a call that lacks them only says that its request could not be built.
    let provider = found.credentials_provider();
    let provider = provider.as_ref().map(AsRef::as_ref).ok_or_else(|| no_credentials("there is no provider"))?;
    provider.provide_credentials().await.map_err(|error| no_credentials(&cause(&error)))?;
    Ok(found)
}

fn no_credentials(why: &str) -> String {
    format!(
        "no AWS credentials were found; set AWS_PROFILE to a profile with keys or a role, or set AWS_ACCESS_KEY_ID and \
         AWS_SECRET_ACCESS_KEY, as `aws configure export-credentials --format env` prints them for any other profile; \
         the search ended so: {why}"
    )
}

/// Returns what lies at the bottom of an error: the SDK's own text names only the step that failed.
fn cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
