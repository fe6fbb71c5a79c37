//! The command line: the whole service as one local process, and the operator's commands.

#![allow(clippy::print_stdout, reason = "a command talks to its user")]

pub mod commands;
pub mod gateway;
pub mod local;
