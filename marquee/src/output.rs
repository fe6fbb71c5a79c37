//! Prints to standard output. A closed pipe isn't an error, so `marquee org list | head -1` succeeds.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a line to standard output. Returns an error if this fails for any reason except a closed pipe.
pub fn print_line(line: impl Display) -> Result<(), OutputError> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError(error)),
        _ => Ok(()),
    }
}

/// The error for a command that succeeded, but whose output couldn't be written.
#[derive(Debug, thiserror::Error)]
#[error("the command succeeded, but its output cannot be written: {0}")]
pub struct OutputError(#[source] io::Error);
