use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::Value;
use shared::App;

use super::credits::CreditsCommand;
use super::key::KeyCommand;
use super::measurement::MeasurementCommand;
use super::org::OrgCommand;
use super::place::Place;
use super::release::{LOCAL_RELEASE, ReleaseCommand};
use crate::local::{ServeOptions, init_logging, serve};

/// A command of the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves everything on 127.0.0.1, with an embedded database.
    Serve {
        /// The port; 0 for any free one.
        #[arg(long, default_value_t = 3000)]
        port: u16,
        /// The data folder.
        #[arg(long, value_name = "DIR", default_value = ".local/data")]
        data_dir: PathBuf,
        /// The data release; the sample one is built there when there is none.
        #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
        release: PathBuf,
        /// Forget what the data folder holds.
        #[arg(long)]
        fresh: bool,
    },
    /// Creates, shows and changes organizations.
    Org(At<OrgCommand>),
    /// Mints, lists and revokes API keys.
    Key(At<KeyCommand>),
    /// Grants and shows credits.
    Credits(At<CreditsCommand>),
    /// Plays the part of the measurement products.
    Measurement(At<MeasurementCommand>),
    /// Builds, inspects, verifies, extends and publishes data releases.
    #[command(subcommand)]
    Release(ReleaseCommand),
}

/// A command and the place where it acts.
#[derive(Args, Debug)]
pub struct At<C: Subcommand> {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: C,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// What went wrong, for the reader.
    pub async fn run(self) -> Result<(), String> {
        match self {
            Self::Serve { port, data_dir, release, fresh } => {
                init_logging();
                serve(ServeOptions { port, data_dir, release, fresh }).await
            }
            Self::Org(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Key(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Credits(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Measurement(At { place, command }) => at(place, async |app| command.run(app).await).await,
            Self::Release(command) => command.run().await,
        }
    }
}

async fn at(place: Place, run: impl AsyncFnOnce(&App) -> Result<Value, String>) -> Result<(), String> {
    let opened = place.open().await?;
    let result = run(&opened.app).await;
    opened.close().await;
    println!("{:#}", result?);
    Ok(())
}
