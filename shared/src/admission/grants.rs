//! Grants: what an account opens with, and what an operator adds.

use thiserror::Error;

use super::bookkeeping::{long_expired, signed};
use super::history::{of_removed, of_revoked};
use crate::dynamo::{AccountChange, GrantEvent, TotalsChange};
use crate::types::{
    Account, Credits, FirstGrant, Grant, GrantId, GrantKind, Holder, Plan, PrepaidKind, Timestamp,
};

/// The most grants that may be live at a time, besides the month's metered one and those of refunds; it
/// bounds the size of the account item.
pub const MAX_LIVE_GRANTS: usize = 8;

/// Credits that an operator grants. Metered ones come with the month alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrepaidGrant {
    /// Where they come from.
    pub kind: PrepaidKind,
    /// How many they are.
    pub credits: Credits,
    /// When they expire; `None` for never.
    pub expires_at: Option<Timestamp>,
}

/// An account without a live grant of a name that an operator could revoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotRevocable {
    #[error("the account has no live grant of this name")]
    NotLive,
    #[error("metered credits come with the month")]
    Metered,
}

/// An account with as many live grants as there can be: how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the account has {0} live grants, the most there can be")]
pub struct TooManyGrants(pub usize);

/// Returns the account of a new organization, with the credits that its tier opens with under the grant's
/// name.
pub fn organization_account(plan: Plan, id: GrantId, now: Timestamp) -> Account {
    opened(Account::new(Holder::Organization(plan), now), id, now)
}

/// Returns the account of a new anonymous session, which ends when its first grant expires.
pub(super) fn session_account(id: GrantId, now: Timestamp) -> Account {
    let ends_at = now.plus_days(FirstGrant::OF_SESSION.days);
    opened(Account::new(Holder::Session { ends_at }, now), id, now)
}

/// Returns the change that adds a grant, in the place of empty ones when there is no room.
///
/// # Errors
///
/// When there is no room.
pub fn add_grant(
    account: &Account,
    id: GrantId,
    new: PrepaidGrant,
    now: Timestamp,
) -> Result<AccountChange, TooManyGrants> {
    let moment = account.moment(now);
    let live = granted_one_by_one(account).filter(|(_, grant)| grant.is_live(moment)).count();
    if live >= MAX_LIVE_GRANTS {
        return Err(TooManyGrants(live));
    }
    let mut removed_grants = long_expired(account, moment);
    let still_here = |id: &GrantId| removed_grants.iter().all(|(gone, _)| gone != id);
    let (mut stored, mut empty) = (0, None);
    for (id, grant) in granted_one_by_one(account).filter(|(id, _)| still_here(id)) {
        stored += 1;
        empty = empty.or((!grant.is_live(moment)).then(|| (id.clone(), grant.left)));
    }
    if stored >= MAX_LIVE_GRANTS {
        removed_grants.extend(empty);
    }
    let expired: Credits = removed_grants.iter().map(|(_, left)| left).sum();
    let grant = new.into_grant();
    let mut history = of_removed(account, &removed_grants);
    history.push(GrantEvent::Joined { id: id.clone(), grant: grant.clone(), at: moment });
    Ok(AccountChange {
        totals: TotalsChange { granted: signed(new.credits), used: 0, expired: signed(expired) },
        added_grants: vec![(id, grant)],
        removed_grants,
        history,
        ..AccountChange::default()
    })
}

/// Returns the change that takes what is left of a prepaid grant away, which is booked as expired.
///
/// # Errors
///
/// When the account has no such live grant, or it is metered.
pub fn revoke_grant(account: &Account, id: &GrantId, now: Timestamp) -> Result<AccountChange, NotRevocable> {
    let moment = account.moment(now);
    let grant = account.grants.get(id).filter(|grant| grant.is_live(moment)).ok_or(NotRevocable::NotLive)?;
    if grant.kind == GrantKind::Metered {
        return Err(NotRevocable::Metered);
    }
    Ok(AccountChange {
        totals: TotalsChange { granted: 0, used: 0, expired: signed(grant.left) },
        removed_grants: vec![(id.clone(), grant.left)],
        history: of_revoked(account, id, grant.left, moment),
        ..AccountChange::default()
    })
}

impl PrepaidGrant {
    fn into_grant(self) -> Grant {
        let Self { kind, credits, expires_at } = self;
        Grant { kind: GrantKind::Prepaid(kind), granted: credits, left: credits, expires_at }
    }
}

/// Adds the credits that the account's tier opens with, before the account is first stored.
fn opened(mut account: Account, id: GrantId, now: Timestamp) -> Account {
    if let Some(FirstGrant { kind, credits, days }) = account.holder.tier().first_grant() {
        let new = PrepaidGrant { kind, credits, expires_at: Some(now.plus_days(days)) };
        account.grants.insert(id, new.into_grant());
        account.totals.granted += credits;
    }
    account
}

/// Iterates over the grants that an operator made: neither the metered ones nor those of refunds.
pub(super) fn granted_one_by_one(account: &Account) -> impl Iterator<Item = (&GrantId, &Grant)> {
    account.grants.iter().filter(|(id, grant)| match grant.kind {
        GrantKind::Prepaid(kind) => **id != GrantId::of_refunds(kind),
        GrantKind::Metered => false,
    })
}
