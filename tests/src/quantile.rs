//! Quantiles of measured times.

use std::time::Duration;

/// Returns the given quantile, from 0 to 1, of the times.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times[at.min(times.len() - 1)]
}
