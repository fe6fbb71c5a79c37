//! How the commands on organizations, keys, credits and measurements run.

use clap::{Args, Subcommand};
use serde_json::Value;
use shared::App;

use super::error::CommandError;
use super::logging;
use super::target::Target;
use crate::output::print_line;

/// A command and what it acts on.
#[derive(Args, Debug)]
pub struct OnTarget<C: Subcommand> {
    #[command(flatten)]
    target: Target,
    #[command(subcommand)]
    command: C,
}

impl<C: Subcommand> OnTarget<C> {
    /// Opens the target, runs the command on it, and prints what it shows as JSON.
    pub async fn run(
        self,
        run: impl AsyncFnOnce(C, &App) -> Result<Value, CommandError>,
    ) -> Result<(), CommandError> {
        let Self { target, command } = self;
        logging::init();
        let open = target.open().await?;
        let result = run(command, &open.app).await;
        let searched = open.close().await;
        let shown = result.map_err(|error| error.after_a_search_of(searched))?;
        Ok(print_line(format_args!("{shown:#}"))?)
    }
}
