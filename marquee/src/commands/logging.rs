//! The log lines of the operator's commands. They go to the standard error: the standard output is the answer
//! alone.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Sends the lines of measurement events, and the warnings of what they do to an account, to the standard
/// error.
///
/// Others stay unwritten: what a command says of its failure is whole.
pub(super) fn init() {
    let targets =
        Targets::new().with_target("measurement", Level::INFO).with_target("shared::admission", Level::WARN);
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal());
    tracing_subscriber::registry().with(lines).with(targets).init();
}
