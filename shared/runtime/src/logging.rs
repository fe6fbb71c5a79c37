//! How a function logs.

use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Our own crates and binaries, as the targets of log lines name them: they alone log below `INFO`. What the
/// SDK and the HTTP client tell at those levels has requests in it, and so keys and tokens.
pub const OWN_CRATES: [&str; 21] = [
    "account",
    "accounting",
    "audiences",
    "aws",
    "builder",
    "campaigns",
    "dataset",
    "events",
    "gateway",
    "inventory",
    "marquee",
    "measurement",
    "places",
    "portal",
    "provenance",
    "release_store",
    "runtime",
    "scenarios",
    "store",
    "strict_json",
    "tiles",
];

/// Sends a function's log lines to the standard output: one JSON object each, with an event's fields at its
/// top. `AWS_LAMBDA_LOG_LEVEL` names the level; below `INFO` it is that of our own lines alone.
///
/// The runtime's own subscriber would put the fields one level down, and brings the regular expressions of
/// its filters.
pub fn init_logging() {
    let named = std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().and_then(|level| level.parse().ok());
    let level = named.unwrap_or(LevelFilter::INFO);
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true);
    let lines = lines.with_span_list(false).with_target(false);
    let kept = filter_fn(move |line| is_kept(*line.level(), line.target(), level));
    tracing_subscriber::registry().with(lines).with(kept.with_max_level_hint(level)).init();
    log_panics();
}

/// Turns a panic into one log line that says where it was, and nothing of what it was about.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(event = "panic", place);
    }));
}

/// Tells whether a line is logged where the environment names a level.
fn is_kept(line: Level, target: &str, named: LevelFilter) -> bool {
    let of_crate = target.split("::").next().unwrap_or_default();
    let most = if OWN_CRATES.contains(&of_crate) { named } else { named.min(LevelFilter::INFO) };
    line <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_below_info_is_that_of_our_own_lines_alone() {
        let cases = [
            (Level::TRACE, "gateway::admission::charge", LevelFilter::TRACE, true),
            (Level::DEBUG, "campaigns", LevelFilter::DEBUG, true),
            (Level::TRACE, "gateway", LevelFilter::DEBUG, false),
            (Level::DEBUG, "aws_smithy_runtime::client", LevelFilter::TRACE, false),
            (Level::TRACE, "hyper_util::client", LevelFilter::TRACE, false),
            (Level::DEBUG, "gateway_of_others", LevelFilter::TRACE, false),
            (Level::DEBUG, "", LevelFilter::TRACE, false),
            (Level::INFO, "hyper", LevelFilter::TRACE, true),
            (Level::WARN, "aws_config", LevelFilter::INFO, true),
            (Level::INFO, "aws_config", LevelFilter::WARN, false),
            (Level::INFO, "gateway", LevelFilter::WARN, false),
            (Level::ERROR, "gateway", LevelFilter::OFF, false),
        ];
        for (line, target, named, kept) in cases {
            assert_eq!(is_kept(line, target, named), kept, "{line} of {target} at {named}");
        }
    }
}
