//! The command line: the whole service as one local process, and the administrator's commands.
//!
//! `run` uses `serve` and `commands`, which do not know each other. Both use `engine`, `administrator` and
//! `release`; `engine` and `serve` use `host_guard`. All use `failure`, `logging` and `output`, which know
//! nothing else of this crate.

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

pub use failure::{Failure, exit_status};
pub use run::Command;
