//! Quantiles of measured durations.

use std::time::Duration;

/// Returns a quantile, where `share` is between 0 and 1. Sorts the times.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times[at.min(times.len() - 1)]
}
