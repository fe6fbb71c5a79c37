//! The `marquee` program, which runs the whole service as one local process and provides the administrator
//! commands.
//!
//! `run` uses `serve` and `commands`, which don't depend on each other. Both use `engine`, `administrator`,
//! `release`, and `sweep`, and `serve` also uses `webhooks`. `engine` and `serve` use `host_guard`. `logging`
//! and `output` don't depend on any other module. `failure` uses only two errors from `commands`, to select
//! the exit status.

pub mod administrator;
pub mod commands;
pub mod engine;
pub mod failure;
pub mod host_guard;
pub mod logging;
pub mod output;
pub mod release;
mod run;
pub mod serve;
pub mod sweep;
pub mod webhooks;

pub use failure::{Failure, exit_status};
pub use run::Command;
