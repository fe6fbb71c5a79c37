//! Prints to standard output, and tolerates a closed pipe, as in `marquee org list | head -1`.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a line to standard output. A closed pipe isn't an error, but a full disk, for example, is.
pub fn print_line(line: impl Display) -> Result<(), OutputError> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError(error)),
        _ => Ok(()),
    }
}

/// The error for output that can't be written after a command has succeeded.
#[derive(Debug, thiserror::Error)]
#[error("the command succeeded, but its output cannot be written: {0}")]
pub struct OutputError(#[source] io::Error);
