//! When a failed call is made again.

use std::time::Duration;

use tokio::time::sleep;

use super::error::BucketFailure;

/// How often something is tried in all.
const ATTEMPTS: u32 = 5;

/// The wait before the second try; it doubles from one to the next.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The same wait for what nobody waits for within seconds.
const FIRST_LONG_PAUSE: Duration = Duration::from_millis(500);

/// How often something has been tried.
#[derive(Debug)]
pub(super) struct Tries {
    failed: u32,
    first_pause: Duration,
}

impl Default for Tries {
    fn default() -> Self {
        Self { failed: 0, first_pause: FIRST_PAUSE }
    }
}

impl Tries {
    /// Makes tries that wait longer in between, for the operator's uploads.
    pub(super) fn patient() -> Self {
        Self { failed: 0, first_pause: FIRST_LONG_PAUSE }
    }

    /// Waits before the next try, when what failed may pass and has not failed too often.
    pub(super) async fn again_after(&mut self, failure: BucketFailure) -> Result<(), BucketFailure> {
        self.failed += 1;
        if !matches!(failure, BucketFailure::Unavailable(_)) || self.failed == ATTEMPTS {
            return Err(failure);
        }
        sleep(self.first_pause * 2_u32.pow(self.failed - 1)).await;
        Ok(())
    }
}
