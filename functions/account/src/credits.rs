//! `GET /v2/billing/credits`: the balance, its grants, and the month's usage.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::Serialize;
use shared::App;
use shared::dynamo::Accounts;
use shared::http::{ApiError, Caller, Reply};
use shared::types::{
    Account, AccountKey, Credits, DayUsage, Grant, GrantId, GrantKind, OrgId, PrepaidKind, Timestamp,
    UsageLine,
};

/// The price of a metered credit, in US cents. `CreditUsage` in openapi.yaml and docs/products.md name it.
const CENTS_PER_CREDIT: Credits = 5;

/// Where an organization's credits stand.
#[derive(Debug, Serialize)]
pub(crate) struct Balance {
    org_id: OrgId,
    tier: &'static str,
    balance: Credits,
    allocated: Credits,
    purchased: Credits,
    promotional: Credits,
    metered: Credits,
    credits_used: Credits,
    credits_total: Credits,
    expires_at: Option<Timestamp>,
    grants: Vec<LiveGrant>,
    usage_month: MonthUsage,
}

#[derive(Debug, Serialize)]
struct LiveGrant {
    kind: GrantKind,
    granted: Credits,
    remaining: Credits,
    expires_at: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct MonthUsage {
    by_product: BTreeMap<String, UsageLine>,
    credits: i64,
    cost_usd: f64,
}

/// Answers with the organization's balance, its live grants in the order of burning, and this month's usage.
pub(crate) async fn read(State(app): State<App>, caller: Caller) -> Result<Reply<Balance>, ApiError> {
    let org = caller.org();
    let accounts = Accounts::new(app.dynamo.clone());
    let key = AccountKey::Org(org.clone());
    // The account first: a day that another call ends in between is then read twice, but never missed.
    let account = accounts.read(&key).await?.ok_or_else(ApiError::internal)?;
    let now = account.moment(app.clock.now());
    let past = accounts.past_usage(org, &now.day().month()).await?;
    Ok(Reply::new(balance(org, &account, &past, now)))
}

fn balance(org: &OrgId, account: &Account, past: &[DayUsage], now: Timestamp) -> Balance {
    let of = |kind| account.balance(Some(kind), now);
    let grants = live_grants(account, now);
    Balance {
        org_id: org.clone(),
        tier: account.holder.tier().name(),
        balance: account.balance(None, now),
        allocated: of(GrantKind::Prepaid(PrepaidKind::Allocated)),
        purchased: of(GrantKind::Prepaid(PrepaidKind::Purchased)),
        promotional: of(GrantKind::Prepaid(PrepaidKind::Promotional)),
        metered: of(GrantKind::Metered),
        credits_used: account.totals.used,
        credits_total: account.totals.granted,
        expires_at: grants.iter().filter_map(|grant| grant.expires_at).min(),
        grants,
        usage_month: month_usage(account, past, now),
    }
}

fn live_grants(account: &Account, now: Timestamp) -> Vec<LiveGrant> {
    let mut live: Vec<&Grant> = account.grants.values().filter(|grant| grant.is_live(now)).collect();
    let coming = account.coming_metered(now);
    live.extend(coming.iter().map(|(_, grant)| grant));
    live.sort_by_key(|grant| grant.burn_order());
    let shown = |grant: &Grant| {
        let Grant { kind, granted, left, expires_at } = grant.clone();
        LiveGrant { kind, granted, remaining: left, expires_at }
    };
    live.into_iter().map(shown).collect()
}

fn month_usage(account: &Account, past: &[DayUsage], now: Timestamp) -> MonthUsage {
    let month = now.day().month();
    let today = Some(&account.today).filter(|today| past.iter().all(|day| day.day != today.day));
    let days = past.iter().chain(today).filter(|day| day.day.month() == month);
    let mut by_product: BTreeMap<String, UsageLine> = BTreeMap::new();
    for (name, line) in days.flat_map(|day| &day.usage) {
        let sum = by_product.entry(name.as_str().to_owned()).or_default();
        sum.calls += line.calls;
        sum.credits += line.credits;
    }
    let metered = account.grants.get(&GrantId::metered(now));
    let cents = metered.map_or(0, |grant| (grant.granted - grant.left) * CENTS_PER_CREDIT);
    MonthUsage {
        credits: by_product.values().map(|line| line.credits).sum(),
        by_product,
        cost_usd: cents as f64 / 100.0,
    }
}
