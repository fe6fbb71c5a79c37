//! The log lines of the local process, which share its standard output with the greeting.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Sends the local process's log lines to the standard output.
pub(super) fn init() {
    let targets = Targets::new().with_default(Level::INFO);
    let lines =
        tracing_subscriber::fmt::layer().with_target(false).with_ansi(std::io::stdout().is_terminal());
    tracing_subscriber::registry().with(lines).with(targets).init();
    shared::runtime::log_panics();
}
