//! Creates accounts with their sign-up grants and adds and revokes prepaid grants.
use thiserror::Error;

use super::change::Change;
use crate::{
    Account, Credits, Grant, GrantEnd, GrantId, GrantKind, Holder, Plan, PrepaidKind, SignUpGrant, Timestamp,
};

/// How long a prepaid grant stays in its account after it expires, in days.
const DAYS_AFTER_EXPIRY: i64 = 1;

/// The maximum number of active grants per account, excluding metered and refund grants. This limits the size
/// of the account's item.
pub const MAX_LIVE_GRANTS: usize = 8;

/// A prepaid grant that an administrator adds or that a new account starts with. Metered grants are added by
/// charges instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrepaidGrant {
    pub kind: PrepaidKind,
    pub credits: Credits,
    /// When the credits expire, or `None` if they don't.
    pub expires_at: Option<Timestamp>,
}

/// Why a grant can't be revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotRevocable {
    #[error("the account has no active grant with this ID")]
    NotLive,
    #[error("metered credits renew each month and cannot be revoked")]
    Metered,
}

/// The error for a grant that would exceed [`MAX_LIVE_GRANTS`]. Contains the number of active grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the account has {0} active grants, which is the limit")]
pub struct TooManyGrants(pub usize);

/// Returns a new organization's account, including the tier's sign-up grant if there is one. `id` becomes
/// that grant's ID.
pub fn organization_account(plan: Plan, id: GrantId, now: Timestamp) -> Account {
    opened(Account::new(Holder::Organization(plan), now), id, now)
}

/// Returns a new anonymous session's account. The session ends when its initial grant expires.
pub fn session_account(id: GrantId, now: Timestamp) -> Account {
    let ends_at = now.plus_days(SignUpGrant::OF_SESSION.days);
    opened(Account::new(Holder::Session { ends_at }, now), id, now)
}

/// Returns the change that adds a grant. The change also removes prepaid grants that expired at least a day
/// ago. If the account is still full, one used-up or expired grant is also removed. Returns an error if the
/// account already has [`MAX_LIVE_GRANTS`] active grants.
pub fn add_grant(
    account: &Account,
    id: GrantId,
    new: PrepaidGrant,
    now: Timestamp,
) -> Result<Change, TooManyGrants> {
    let moment = account.moment(now);
    let live = added_grants(account).filter(|(_, grant)| grant.is_live(moment)).count();
    if live >= MAX_LIVE_GRANTS {
        return Err(TooManyGrants(live));
    }
    let mut change = Change::of(account);
    remove_long_expired(&mut change, moment);
    if added_grants(&change.account).count() >= MAX_LIVE_GRANTS {
        let ended = added_grants(&change.account).find(|(_, grant)| !grant.is_live(moment));
        let ended = ended.map(|(id, _)| id.clone());
        change.remove(|id, _| Some(id) == ended.as_ref());
    }
    change.account.totals.granted += new.credits;
    change.join(id, new.into_grant(), moment);
    Ok(change)
}

/// Returns the change that revokes a prepaid grant. The remaining credits count as expired.
pub fn revoke_grant(account: &Account, id: &GrantId, now: Timestamp) -> Result<Change, NotRevocable> {
    let moment = account.moment(now);
    let grant = account.grants.get(id).filter(|grant| grant.is_live(moment)).ok_or(NotRevocable::NotLive)?;
    if grant.kind == GrantKind::Metered {
        return Err(NotRevocable::Metered);
    }
    let mut change = Change::of(account);
    change.account.grants.remove(id);
    change.account.totals.expired += grant.left;
    change.record_end(id, grant, GrantEnd::Revoked, moment);
    Ok(change)
}

/// Removes prepaid grants that expired at least [`DAYS_AFTER_EXPIRY`] days ago.
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

/// Adds the tier's sign-up grant, if any, to a new account.
fn opened(mut account: Account, id: GrantId, now: Timestamp) -> Account {
    if let Some(SignUpGrant { kind, credits, days }) = account.holder.tier().sign_up_grant() {
        let new = PrepaidGrant { kind, credits, expires_at: Some(now.plus_days(days)) };
        account.grants.insert(id, new.into_grant());
        account.totals.granted += credits;
    }
    account
}

/// Iterates over all grants except metered grants and refund grants.
pub(super) fn added_grants(account: &Account) -> impl Iterator<Item = (&GrantId, &Grant)> {
    account.grants.iter().filter(|(id, grant)| match grant.kind {
        GrantKind::Prepaid(kind) => **id != GrantId::of_refunds(kind),
        GrantKind::Metered => false,
    })
}
