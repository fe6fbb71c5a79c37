//! The check of this process's clock before a charge.
//!
//! A month of an account never comes back. So one charge by a clock that is days ahead could end a month
//! early.

use super::admissions::Admissions;
use super::error::ClockSkewed;
use crate::types::{AccountKey, MAX_CLOCK_ERROR_SECONDS, Timestamp};

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
        self.check_clock_by_latest_answer()
    }

    /// Checks this process's clock by the database's latest answer alone, for whoever has just had one.
    pub(super) fn check_clock_by_latest_answer(&self) -> Result<(), ClockSkewed> {
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
    seconds.abs() <= MAX_CLOCK_ERROR_SECONDS
}
