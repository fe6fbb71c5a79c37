//! The median and the tail of a set of times, for tables to show.

use std::time::Duration;

/// Returns the time that a share of all times, from 0 to 1, does not exceed.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times[at.min(times.len() - 1)]
}
