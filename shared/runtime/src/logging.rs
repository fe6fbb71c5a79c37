//! A function's log.

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging to standard output, with one JSON object per event and the event's fields at the top level.
/// `AWS_LAMBDA_LOG_LEVEL` sets the level.
///
/// The Lambda runtime's own subscriber would nest the fields and would link a regular expression engine for
/// its filters.
pub fn init_logging() {
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true);
    let lines = lines.with_span_list(false).with_target(false);
    let level = level(std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().as_deref());
    // Exclude the Model Context Protocol SDK, because it logs clients' messages.
    let own = filter_fn(|line| !line.target().starts_with("rmcp"));
    tracing_subscriber::registry().with(lines.with_filter(own)).with(level).init();
    log_panics();
}

/// Returns a function's log level. It's `INFO` unless `named` is a less detailed level.
///
/// At more detailed levels, the AWS SDK and the HTTP client log complete requests, including keys and tokens.
/// Marquee's own crates don't log anything at these levels.
fn level(named: Option<&str>) -> LevelFilter {
    let named = named.and_then(|level| level.parse().ok());
    named.unwrap_or(LevelFilter::INFO).min(LevelFilter::INFO)
}

/// Installs a hook that logs each panic as one line with its location, but without its message.
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
    fn levels_below_info_are_raised_to_info() {
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
