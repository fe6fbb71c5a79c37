//! The check of this process's clock before a charge.
//!
//! A month of an account never comes back. So one charge by a clock that is days ahead could end a month
//! early.
use accounting::{AccountKey, MAX_CLOCK_ERROR_SECONDS};
use thiserror::Error;

use super::accounts::Accounts;

/// A clock by which nothing is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this process's clock is {} s {} the database's", .seconds_ahead.abs(), side(*.seconds_ahead))]
pub struct ClockSkewed {
    /// How far it is ahead of the database's; negative where it is behind.
    pub seconds_ahead: i64,
}

impl Accounts {
    /// Checks this process's clock by the database's latest answer, before an account is charged.
    ///
    /// While that answer is bad or there is none, the account is read first, so that a clock that was put
    /// right is heard of, although nothing is charged meanwhile.
    ///
    /// # Errors
    ///
    /// When the two are more than five minutes apart. That is logged too.
    pub async fn check_clock(&self, key: &AccountKey) -> Result<(), ClockSkewed> {
        if self.0.clock_skew.seconds().is_some_and(is_tolerable) {
            return Ok(());
        }
        // Only the answer's date matters, which a failed call's has too.
        let _ = self.read_once(key).await;
        self.check_clock_by_latest_answer()
    }

    /// Checks this process's clock by the database's latest answer alone, for whoever has just had one.
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
