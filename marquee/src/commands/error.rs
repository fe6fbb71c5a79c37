//! What the administrator is told when a command fails.

use std::path::PathBuf;

use accounting::{Day, OrgId};
use measurement::EventRefusal;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("there is no {0}; start `marquee serve` once to make it")]
    NoDataFolder(PathBuf),
    #[error("another marquee is starting in {0}; try again in a moment")]
    Starting(PathBuf),
    #[error("there is an organization {0} already")]
    OrgExists(OrgId),
    #[error("only a pay-as-you-go organization has a monthly cap; leave out --cap")]
    CapWithoutMeter,
    #[error("credits that expire on {0} are gone already; name a day after today (UTC)")]
    AlreadyExpired(Day),
    #[error("the event was refused: {0}")]
    EventRefused(EventRefusal),
}
