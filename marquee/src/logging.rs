//! Sets up logging.

use std::io::IsTerminal;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Sets up logging for the events that `targets` selects. `writer` is standard output or standard error.
/// Lines are colored if it's a terminal.
pub fn init<W: IsTerminal>(
    targets: Targets,
    writer: impl for<'w> MakeWriter<'w> + Fn() -> W + Send + Sync + 'static,
) {
    let is_terminal = writer().is_terminal();
    let lines =
        tracing_subscriber::fmt::layer().with_writer(writer).with_target(false).with_ansi(is_terminal);
    tracing_subscriber::registry().with(lines).with(targets).init();
}
