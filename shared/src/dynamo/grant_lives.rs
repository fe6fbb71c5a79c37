//! What became of an organization's prepaid grants: what was written of each, and what its account says now.

use std::collections::BTreeMap;

use super::accounts::Accounts;
use super::error::StoreError;
use super::grant_history::{GrantRecord, RecordedEnd};
use crate::types::{Account, Credits, Grant, GrantEnd, GrantId, GrantKind, OrgId, Timestamp};

/// A prepaid grant from when it joined its account until nothing can be drawn from it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantLife {
    pub id: GrantId,
    pub kind: GrantKind,
    pub granted: Credits,
    /// What is left of it, or was when it ended.
    pub remaining: Credits,
    pub expires_at: Option<Timestamp>,
    /// `None` of one that joined before there was a history.
    pub joined_at: Option<Timestamp>,
    pub state: GrantState,
    /// `None` of one that is live, or was used up before there was a history.
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
        Ok(lives(account, self.grant_history(org).await?, now))
    }
}

fn lives(account: &Account, records: Vec<GrantRecord>, now: Timestamp) -> Vec<GrantLife> {
    let mut known: BTreeMap<GrantId, GrantRecord> =
        records.into_iter().map(|record| (record.id.clone(), record)).collect();
    let held = account.grants.iter().filter(|(_, grant)| grant.kind != GrantKind::Metered);
    let mut lives: Vec<_> = held.map(|(id, grant)| of_held(id, grant, known.remove(id), now)).collect();
    lives.extend(known.into_values().map(of_not_held));
    lives.sort_by(|one, other| (one.joined_at, &one.id).cmp(&(other.joined_at, &other.id)));
    lives
}

/// Tells of a grant that is in the account.
fn of_held(id: &GrantId, grant: &Grant, record: Option<GrantRecord>, now: Timestamp) -> GrantLife {
    let Grant { kind, granted, left, expires_at } = *grant;
    let (state, ended_at) = match (left, grant.is_expired(now)) {
        (0, _) => {
            let end = record.as_ref().and_then(|record| record.end);
            (GrantState::Ended(GrantEnd::UsedUp), end.and_then(|end| end.at))
        }
        (_, true) => (GrantState::Ended(GrantEnd::Expired), expires_at),
        (_, false) => (GrantState::Live, None),
    };
    GrantLife {
        id: id.clone(),
        kind,
        // A grant that a refund brought back has the refund's size in the account.
        granted: record.as_ref().map_or(granted, |record| record.granted.max(granted)),
        remaining: left,
        expires_at,
        joined_at: record.and_then(|record| record.joined_at),
        state,
        ended_at,
    }
}

/// Tells of a grant that is not in the account as it was read.
fn of_not_held(record: GrantRecord) -> GrantLife {
    let GrantRecord { id, kind, granted, expires_at, joined_at, end } = record;
    let (state, remaining, ended_at) = match end {
        Some(RecordedEnd { how, at, left }) => (GrantState::Ended(how), left, at),
        // One that has left was told of in the same write: it has joined since the account was read.
        None => (GrantState::Live, granted, None),
    };
    GrantLife { id, kind, granted, remaining, expires_at, joined_at, state, ended_at }
}
