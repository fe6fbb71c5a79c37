//! How a function logs.

use tracing::level_filters::LevelFilter;

/// Sends a function's log lines to the standard output: one JSON object each, with an event's fields at its
/// top.
///
/// The runtime's own subscriber would put the fields one level down, and brings the regular expressions of
/// its filters.
pub fn init_logging() {
    let level = std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().and_then(|level| level.parse().ok());
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_span_list(false)
        .with_target(false)
        .with_max_level(level.unwrap_or(LevelFilter::INFO))
        .init();
    log_panics();
}

/// Turns a panic into one log line that says where it was, and nothing of what it was about.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(event = "panic", place);
    }));
}
