//! Grants: what an account opens with, and what an operator adds.
use thiserror::Error;

use super::change::Change;
use crate::{
    Account, Credits, FirstGrant, Grant, GrantEnd, GrantId, GrantKind, Holder, Plan, PrepaidKind, Timestamp,
};

/// How long a prepaid grant stays in its account after its expiry, in days.
const DAYS_AFTER_EXPIRY: i64 = 1;

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
    #[error("the account has no live grant with this name")]
    NotLive,
    #[error("metered credits renew each month and cannot be revoked")]
    Metered,
}

/// An account with as many live grants as there can be: how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the account has {0} live grants, which is the limit")]
pub struct TooManyGrants(pub usize);

/// Returns the account of a new organization, with the credits that its tier opens with under the grant's
/// name.
pub fn organization_account(plan: Plan, id: GrantId, now: Timestamp) -> Account {
    opened(Account::new(Holder::Organization(plan), now), id, now)
}

/// Returns the account of a new anonymous session, which ends when its first grant expires.
pub fn session_account(id: GrantId, now: Timestamp) -> Account {
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
) -> Result<Change, TooManyGrants> {
    let moment = account.moment(now);
    let live = granted_one_by_one(account).filter(|(_, grant)| grant.is_live(moment)).count();
    if live >= MAX_LIVE_GRANTS {
        return Err(TooManyGrants(live));
    }
    let mut change = Change::of(account);
    remove_long_expired(&mut change, moment);
    if granted_one_by_one(&change.account).count() >= MAX_LIVE_GRANTS {
        let ended = granted_one_by_one(&change.account).find(|(_, grant)| !grant.is_live(moment));
        let ended = ended.map(|(id, _)| id.clone());
        change.remove(|id, _| Some(id) == ended.as_ref());
    }
    change.account.totals.granted += new.credits;
    change.join(id, new.into_grant(), moment);
    Ok(change)
}

/// Returns the change that takes what is left of a prepaid grant away, which is booked as expired.
///
/// # Errors
///
/// When the account has no such live grant, or it is metered.
pub fn revoke_grant(account: &Account, id: &GrantId, now: Timestamp) -> Result<Change, NotRevocable> {
    let moment = account.moment(now);
    let grant = account.grants.get(id).filter(|grant| grant.is_live(moment)).ok_or(NotRevocable::NotLive)?;
    if grant.kind == GrantKind::Metered {
        return Err(NotRevocable::Metered);
    }
    let mut change = Change::of(account);
    change.account.grants.remove(id);
    change.account.totals.expired += grant.left;
    change.tell_end(id, grant, GrantEnd::Revoked, moment);
    Ok(change)
}

/// Removes the prepaid grants that have been expired for long enough.
pub(super) fn remove_long_expired(change: &mut Change, moment: Timestamp) {
    let long_ago = moment.plus_days(-DAYS_AFTER_EXPIRY);
    change.remove(|_, grant| grant.kind != GrantKind::Metered && grant.is_expired(long_ago));
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
