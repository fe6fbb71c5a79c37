use std::collections::BTreeMap;

use crate::types::{Account, Credits, DayUsage, Grant, GrantId, GrantKind, Tier, Timestamp, Totals, Usage, Window};

/// The credits of a sandbox organization (Specification, Access tiers).
const SANDBOX_CREDITS: Credits = 2_000;

/// The days after which a sandbox organization's credits expire (Specification, Access tiers).
const SANDBOX_DAYS: i64 = 60;

/// Returns the account of a new organization, without credits.
pub fn new_account(tier: Tier, monthly_cap: Credits, now: Timestamp) -> Account {
    Account {
        tier,
        monthly_cap,
        grants: BTreeMap::new(),
        totals: Totals::default(),
        window: Window::default(),
        key_windows: BTreeMap::new(),
        today: DayUsage { day: now.day(), usage: Usage::new() },
        ring: BTreeMap::new(),
        ends_at: None,
    }
}

/// Returns the account of a new sandbox organization, with the credits that it is granted on signup.
pub fn sandbox_account(id: GrantId, now: Timestamp) -> Account {
    let expires_at = Some(now.plus_days(SANDBOX_DAYS));
    with_grant(new_account(Tier::Sandbox, 0, now), id, GrantKind::Allocated, SANDBOX_CREDITS, expires_at)
}

/// Returns an account with one more grant, before it is first stored.
pub(super) fn with_grant(
    mut account: Account,
    id: GrantId,
    kind: GrantKind,
    credits: Credits,
    expires_at: Option<Timestamp>,
) -> Account {
    account.grants.insert(id, Grant { kind, granted: credits, left: credits, expires_at });
    account.totals.granted += credits;
    account
}
