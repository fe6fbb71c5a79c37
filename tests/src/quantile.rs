//! Quantiles of measured times.

use std::time::Duration;

/// Sorts the times and returns the quantile for a share from 0 to 1.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times[at.min(times.len() - 1)]
}
