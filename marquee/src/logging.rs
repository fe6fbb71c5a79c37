//! The program's log lines.

use std::io::IsTerminal;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Sends the lines of some modules to the standard output or the standard error, in colour on a terminal.
pub fn init<W: IsTerminal>(
    targets: Targets,
    writer: impl for<'w> MakeWriter<'w> + Fn() -> W + Send + Sync + 'static,
) {
    let is_terminal = writer().is_terminal();
    let lines =
        tracing_subscriber::fmt::layer().with_writer(writer).with_target(false).with_ansi(is_terminal);
    tracing_subscriber::registry().with(lines).with(targets).init();
}
