//! The command line as a whole: hands each command to its module.

use clap::Subcommand;

use crate::commands::{CreditsCommand, KeyCommand, MeasurementCommand, OnTarget, OrgCommand, ReleaseCommand};
use crate::failure::Failure;
use crate::serve::{ServeArgs, serve};

/// A command of the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves everything on 127.0.0.1, with an embedded database.
    Serve(ServeArgs),
    /// Creates, shows and changes organizations.
    Org(OnTarget<OrgCommand>),
    /// Mints, lists and revokes API keys.
    Key(OnTarget<KeyCommand>),
    /// Grants and shows credits.
    Credits(OnTarget<CreditsCommand>),
    /// Plays the part of the measurement products.
    Measurement(OnTarget<MeasurementCommand>),
    /// Builds, inspects, verifies, extends and publishes data releases.
    #[command(subcommand)]
    Release(ReleaseCommand),
}

impl Command {
    /// Runs the command to its end.
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Serve(args) => serve(args).await,
            Self::Org(org) => org.run(OrgCommand::run).await,
            Self::Key(key) => key.run(KeyCommand::run).await,
            Self::Credits(credits) => credits.run(CreditsCommand::run).await,
            Self::Measurement(measurement) => measurement.run(MeasurementCommand::run).await,
            Self::Release(release) => release.run().await,
        }
    }
}
