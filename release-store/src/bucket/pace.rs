//! How slowly an answer may come.

use std::time::{Duration, Instant};

use super::error::BucketFailure;

/// The least that an answer brings, in bytes a second. A line of 3 Mbit/s has as much for each of the answers
/// that a start reads at once.
const SLOWEST: u32 = 32 * 1024;

/// What an answer has brought lately.
#[derive(Debug)]
pub(super) struct Pace {
    window: Duration,
    since: Instant,
    bytes: usize,
}

impl Pace {
    /// Begins to measure: once in each window, the answer is held to what it must bring.
    pub(super) fn over(window: Duration) -> Self {
        Self { window, since: Instant::now(), bytes: 0 }
    }

    /// Counts what has arrived, and refuses an answer that never stands still and is too slow all the same.
    pub(super) fn arrived(&mut self, bytes: usize) -> Result<(), BucketFailure> {
        self.bytes += bytes;
        let elapsed = self.since.elapsed();
        if elapsed < self.window {
            return Ok(());
        }
        if (self.bytes as f64) < f64::from(SLOWEST) * elapsed.as_secs_f64() {
            let why = format!("the answer brings less than {SLOWEST} bytes a second");
            return Err(BucketFailure::Unavailable(why));
        }
        *self = Self::over(self.window);
        Ok(())
    }
}
