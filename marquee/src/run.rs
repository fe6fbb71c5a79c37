//! The top-level commands.

use clap::Subcommand;

use crate::commands::{CreditsCommand, KeyCommand, MeasurementCommand, OnTarget, OrgCommand, ReleaseCommand};
use crate::failure::Failure;
use crate::serve::{ServeArgs, serve};

/// A top-level command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service on 127.0.0.1 with an embedded database.
    Serve(ServeArgs),
    /// Manage organizations and their members.
    Org(OnTarget<OrgCommand>),
    /// Create, list, and revoke API keys.
    Key(OnTarget<KeyCommand>),
    /// Grant, show, and revoke credits.
    Credits(OnTarget<CreditsCommand>),
    /// Send measurement events, run due measurement steps, and show the applied events.
    Measurement(OnTarget<MeasurementCommand>),
    /// Build, inspect, verify, extend, and publish data releases.
    #[command(subcommand)]
    Release(ReleaseCommand),
}

impl Command {
    /// Runs the command until it finishes. `serve` runs until the process receives a stop signal.
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
