//! The command line: the whole service as one local process, and the operator's commands.
//!
//! `run` uses `serve` and `commands`, which do not know each other. Both use `engine`, `operator` and
//! `release`; `engine` and `serve` use `hosts`. All that print use `output`. These know nothing else of this
//! crate.

pub mod commands;
pub mod engine;
pub mod hosts;
pub mod operator;
pub mod output;
pub mod release;
mod run;
pub mod serve;

pub use run::{Command, Error, run};
