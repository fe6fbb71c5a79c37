//! The check of this process's clock before a charge.
//!
//! Windows, days and months of an account never move back. So one charge by a clock that is days ahead would
//! refuse the organization's calls until those days have passed.

use super::admissions::Admissions;
use super::error::ClockSkewed;
use crate::types::{AccountKey, Timestamp};

/// The most seconds between this process's clock and the database's with which it charges.
const MAX_SKEW_SECONDS: i64 = 300;

impl Admissions {
    /// Checks this process's clock by the database's latest answer, before an account is charged.
    ///
    /// While that answer is bad or there is none, the account is read first, so that a clock that was put
    /// right is heard of, although nothing is charged meanwhile.
    ///
    /// # Errors
    ///
    /// When the two are more than five minutes apart. That is logged too.
    pub async fn check_clock(&self, key: &AccountKey) -> Result<(), ClockSkewed> {
        if self.dynamo.clock_skew_seconds().is_some_and(is_tolerable) {
            return Ok(());
        }
        // Only the answer's date matters, which a failed call's has too.
        let _ = self.accounts.read_marked_once(key).await;
        match self.dynamo.clock_skew_seconds() {
            Some(seconds_ahead) if !is_tolerable(seconds_ahead) => {
                tracing::error!(event = "clock_skewed", seconds_ahead);
                Err(ClockSkewed { seconds_ahead })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the moment of a refund, which is never refused: now, by the database's clock while this
    /// process's is wrong.
    pub fn refund_moment(&self) -> Timestamp {
        let now = self.clock.now();
        match self.dynamo.clock_skew_seconds() {
            Some(seconds_ahead) if !is_tolerable(seconds_ahead) => now.plus_seconds(-seconds_ahead),
            Some(_) | None => now,
        }
    }
}

fn is_tolerable(seconds: i64) -> bool {
    seconds.abs() <= MAX_SKEW_SECONDS
}
