//! The `marquee` command: turns a failure into a text and an exit status.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use marquee::Command;

/// Out-of-home planning: runs the service on this machine, and operates it here and in the cloud.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let CommandLine { command } = CommandLine::parse();
    match marquee::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to hear it.
            let _ = writeln!(std::io::stderr(), "marquee: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
