//! What the operator is told when a command fails.

use measurement::{ApplyError, EventRefusal};
use shared::types::{Day, OrgId};

use super::release::ReleaseCommandError;
use super::target::{Searched, TargetError};
use crate::operator::OperatorError;
use crate::output::OutputError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Operator(#[from] OperatorError),
    #[error("there is no organization {org} in {searched}")]
    UnknownOrg { org: OrgId, searched: Searched },
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
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl CommandError {
    /// Says of an organization that is missing where it was searched for.
    pub(super) fn after_a_search_of(self, searched: Searched) -> Self {
        match self {
            Self::Operator(OperatorError::UnknownOrg(org)) => Self::UnknownOrg { org, searched },
            other => other,
        }
    }
}
