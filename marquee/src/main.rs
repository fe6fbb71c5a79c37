//! The `marquee` program: parses the command line, runs the command, and reports its error.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use marquee::{Command, exit_status};

/// Replaces the system allocator, which is slow when a thread frees memory that others have allocated. This
/// happens when a data release is built.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Run Marquee on this machine, and administer it locally or in AWS.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[tokio::main]
async fn main() -> ExitCode {
    let CommandLine { command } = CommandLine::parse();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Ignore errors, because standard error may be closed.
            let _ = writeln!(std::io::stderr(), "marquee: {failure}");
            ExitCode::from(exit_status(&failure))
        }
    }
}
