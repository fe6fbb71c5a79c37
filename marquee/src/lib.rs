//! The command line: the whole service as one local process, and the operator's commands.

pub mod commands;
pub mod gateway;
pub mod local;
