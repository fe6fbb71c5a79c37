//! What a command says on its standard output, whose reader may leave early: `marquee org list | head -1`.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a line. A reader that has heard enough is no failure.
///
/// # Errors
///
/// When the line cannot be written for another reason, such as a full disk.
pub fn print_line(line: impl Display) -> Result<(), OutputError> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError(error)),
        _ => Ok(()),
    }
}

/// Why what a command has to say is not heard; what it was to do is done.
#[derive(Debug, thiserror::Error)]
#[error("the command succeeded, but its output cannot be written: {0}")]
pub struct OutputError(#[source] io::Error);
