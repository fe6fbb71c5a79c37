//! What the operator is told when a command fails.

use measurement::{ApplyError, EventRefusal};
use shared::types::{Day, OrgId};

use super::release::ReleaseCommandError;
use super::target::TargetError;
use crate::operator::OperatorError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Operator(#[from] OperatorError),
    #[error("there is an organization {0} already")]
    OrgExists(OrgId),
    #[error("only a pay-as-you-go organization has a monthly cap; leave out --cap")]
    CapWithoutMeter,
    #[error("credits that expire on {0} are gone already; name a day after today (UTC)")]
    AlreadyExpired(Day),
    #[error("the event was refused: {0}")]
    EventRefused(EventRefusal),
    #[error(transparent)]
    Event(#[from] ApplyError),
    #[error(transparent)]
    Release(#[from] ReleaseCommandError),
}
