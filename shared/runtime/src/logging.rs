//! How a function logs.

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Sends a function's log lines to the standard output: one JSON object each, with an event's fields at its
/// top. `AWS_LAMBDA_LOG_LEVEL` names the level.
///
/// The runtime's own subscriber would put the fields one level down, and brings the regular expressions of
/// its filters.
pub fn init_logging() {
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true);
    let lines = lines.with_span_list(false).with_target(false);
    let level = level(std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().as_deref());
    tracing_subscriber::registry().with(lines).with(level).init();
    log_panics();
}

/// Returns the level that a function logs at: `INFO` unless a less detailed one is named.
///
/// Below `INFO` the SDK and the HTTP client log whole requests, and so keys and tokens; our crates log nothing
/// there.
fn level(named: Option<&str>) -> LevelFilter {
    let named = named.and_then(|level| level.parse().ok());
    named.unwrap_or(LevelFilter::INFO).min(LevelFilter::INFO)
}

/// Turns a panic into one log line that says where it was, and nothing of what it was about.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(event = "panic", place);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_below_info_is_logged() {
        for (named, expected) in [
            (None, LevelFilter::INFO),
            (Some("chatty"), LevelFilter::INFO),
            (Some("TRACE"), LevelFilter::INFO),
            (Some("DEBUG"), LevelFilter::INFO),
            (Some("WARN"), LevelFilter::WARN),
            (Some("OFF"), LevelFilter::OFF),
        ] {
            assert_eq!(level(named), expected, "{named:?}");
        }
    }
}
