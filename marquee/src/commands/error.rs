//! The errors that administrator commands return.

use std::path::PathBuf;

use accounting::{Day, OrgId};
use measurement::EventRefusal;

/// The errors that commands detect themselves.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("data folder {0} not found; run `marquee serve` once to create it")]
    NoDataFolder(PathBuf),
    #[error("another marquee process is starting in {0}; try again in a moment")]
    Starting(PathBuf),
    #[error("organization {0} already exists; choose another ID")]
    OrgExists(OrgId),
    #[error("only pay-as-you-go organizations have a monthly cap; remove --cap")]
    CapWithoutMeter,
    #[error("--expires: {0} is not in the future; use a date after today (UTC)")]
    AlreadyExpired(Day),
    #[error("the event was refused: {0}")]
    EventRefused(EventRefusal),
}
