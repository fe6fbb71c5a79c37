//! Checks this process's clock before a charge.
//!
//! An account's month can't be reopened. If a process's clock were days ahead, one charge could end the month
//! early.
use accounting::{AccountKey, MAX_CLOCK_ERROR_SECONDS};
use thiserror::Error;

use super::accounts::Accounts;

/// The error for a clock that is too far off to charge an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this process's clock is {} s {} the database's", .seconds_ahead.abs(), side(*.seconds_ahead))]
pub struct ClockSkewed {
    /// The number of seconds that this clock is ahead of the database's clock. Negative if this clock is
    /// behind.
    pub seconds_ahead: i64,
}

impl Accounts {
    /// Compares this process's clock with the date of the database's latest response, before a charge.
    ///
    /// Until a response confirms that the clock is correct, each check reads the account to get a new date.
    /// Without this read, a corrected clock would go unnoticed, because no charge is sent in the meantime.
    ///
    /// # Errors
    ///
    /// Returns an error if the clocks differ by more than five minutes. The difference is also logged.
    pub async fn check_clock(&self, key: &AccountKey) -> Result<(), ClockSkewed> {
        if self.0.clock_skew.seconds().is_some_and(is_tolerable) {
            return Ok(());
        }
        // Only the date of the response matters. Error responses also have a date.
        let _ = self.read_once(key).await;
        self.check_clock_by_latest_answer()
    }

    /// Like [`Self::check_clock`], but doesn't read the account. For callers that have just received a
    /// response from the database.
    pub fn check_clock_by_latest_answer(&self) -> Result<(), ClockSkewed> {
        match self.0.clock_skew.seconds() {
            Some(seconds_ahead) if !is_tolerable(seconds_ahead) => {
                tracing::error!(event = "clock_skewed", seconds_ahead);
                Err(ClockSkewed { seconds_ahead })
            }
            Some(_) | None => Ok(()),
        }
    }
}

fn is_tolerable(seconds: i64) -> bool {
    seconds.abs() <= MAX_CLOCK_ERROR_SECONDS
}

fn side(seconds_ahead: i64) -> &'static str {
    if seconds_ahead > 0 { "ahead of" } else { "behind" }
}
