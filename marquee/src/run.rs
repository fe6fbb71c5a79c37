//! The command line as a whole: hands each command to its module.

use std::io;

use clap::Subcommand;

use crate::commands::{
    CommandError, CreditsCommand, KeyCommand, MeasurementCommand, OnTarget, OrgCommand, ReleaseCommand,
};
use crate::serve::{ServeArgs, ServeError, serve};

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

/// Why the program fails.
///
/// An error's text is whole: what failed, why, and what to do. It includes the text of its cause, which is
/// also its source, so that `main` prints the outermost text alone.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the asynchronous runtime does not start: {0}")]
    Runtime(#[source] io::Error),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl Error {
    /// Returns the exit status: 3 where an import rejected more rows than it may, else 1.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Command(CommandError::Release(error)) if error.is_too_many_rejects() => 3,
            _ => 1,
        }
    }
}

/// Runs a command to its end.
pub fn run(command: Command) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::Runtime)?;
    runtime.block_on(async {
        match command {
            Command::Serve(args) => serve(args).await?,
            Command::Org(org) => org.run(OrgCommand::run).await?,
            Command::Key(key) => key.run(KeyCommand::run).await?,
            Command::Credits(credits) => credits.run(CreditsCommand::run).await?,
            Command::Measurement(measurement) => measurement.run(MeasurementCommand::run).await?,
            Command::Release(release) => release.run().await.map_err(CommandError::from)?,
        }
        Ok(())
    })
}
