//! The `marquee` command.

use std::process::ExitCode;

use clap::Parser;
use marquee::commands::Command;

/// Out-of-home audience scenarios: runs the service locally, and operates it here and in the cloud.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let CommandLine { command } = CommandLine::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(command.run()),
        Err(error) => Err(format!("the asynchronous runtime does not start: {error}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("marquee: {error}");
            ExitCode::FAILURE
        }
    }
}
