//! What became of an organization's prepaid grants: what was written of each, and what its account says now.

use accounting::{Account, Credits, GrantEnd, GrantId, GrantKind, OrgId, Timestamp};

use super::accounts::Accounts;
use super::error::StoreError;
use super::grant_history::{GrantRecord, RecordedEnd};

/// A prepaid grant from when it joined its account until nothing can be drawn from it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantLife {
    pub id: GrantId,
    pub kind: GrantKind,
    pub granted: Credits,
    /// What is left of it, or was when it ended.
    pub remaining: Credits,
    pub expires_at: Option<Timestamp>,
    pub joined_at: Timestamp,
    pub state: GrantState,
    /// `None` of one that is live.
    pub ended_at: Option<Timestamp>,
}

/// Whether a grant can be drawn on, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantState {
    Live,
    Ended(GrantEnd),
}

impl GrantState {
    /// Returns the state's name as it is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Ended(end) => end.into(),
        }
    }
}

impl Accounts {
    /// Reads what became of each prepaid grant of an organization, in the order in which they joined.
    /// `account` is as it was read before: it knows better of the grants that it has.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn grant_lives(
        &self,
        org: &OrgId,
        account: &Account,
        now: Timestamp,
    ) -> Result<Vec<GrantLife>, StoreError> {
        let records = self.grant_history(org).await?.into_iter();
        let mut lives: Vec<_> = records.map(|record| life(record, account, now)).collect();
        lives.sort_by(|one, other| (one.joined_at, &one.id).cmp(&(other.joined_at, &other.id)));
        Ok(lives)
    }
}

/// Tells of a grant by its record and by its account, if that has it.
fn life(record: GrantRecord, account: &Account, now: Timestamp) -> GrantLife {
    let held = account.grants.get(&record.id);
    let (remaining, state, ended_at) = match (held, record.end) {
        (Some(grant), end) if grant.left == 0 => {
            (0, GrantState::Ended(GrantEnd::UsedUp), end.map(|end| end.at))
        }
        (Some(grant), _) if grant.is_expired(now) => {
            (grant.left, GrantState::Ended(GrantEnd::Expired), grant.expires_at)
        }
        (Some(grant), _) => (grant.left, GrantState::Live, None),
        (None, Some(RecordedEnd { how, at, left })) => (left, GrantState::Ended(how), Some(at)),
        // Its end is written when it leaves: it has joined since the account was read.
        (None, None) => (record.granted, GrantState::Live, None),
    };
    let GrantRecord { id, kind, granted, expires_at, joined_at, end: _ } = record;
    GrantLife {
        id,
        kind,
        // A grant that a refund brought back has the refund's size in the account; that of refunds may grow.
        granted: held.map_or(granted, |grant| granted.max(grant.granted)),
        remaining,
        expires_at: held.map_or(expires_at, |grant| grant.expires_at),
        joined_at,
        state,
        ended_at,
    }
}
