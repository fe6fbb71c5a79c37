//! `GET /v2/billing/credits`: an organization's balance, its active grants, and the current month's usage.

use accounting::{Account, Bill, Credits, Grant, GrantId, GrantKind, OrgId, PrepaidKind, Timestamp, Usage};
use axum::extract::State;
use gateway::{ApiError, App, Caller, Reply};
use serde::Serialize;
use store::{Accounts, Statement};

/// An organization's balance, active grants, and usage in the current month.
#[derive(Debug, Serialize)]
pub struct Balance {
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
    /// Not part of the response. Only administrators' commands use it.
    #[serde(skip)]
    id: GrantId,
    kind: GrantKind,
    granted: Credits,
    remaining: Credits,
    expires_at: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct MonthUsage {
    by_product: Usage,
    credits: i64,
    cost_usd: f64,
}

/// Responds with the organization's balance, its active grants in the order in which credits are drawn from
/// them, and the current month's usage.
pub(crate) async fn read(State(app): State<App>, caller: Caller) -> Result<Reply<Balance>, ApiError> {
    let (org, now) = (caller.org(), app.clock.now());
    let statement = Accounts::new(app.dynamo.clone()).statement(org, now).await?;
    Ok(Reply::new(Balance::new(org, &statement.ok_or_else(ApiError::internal)?, now)))
}

impl Balance {
    /// Computes the balance at `now` from an organization's account and current bill.
    pub fn new(org: &OrgId, statement: &Statement, now: Timestamp) -> Self {
        let Statement { account, bill, ended: _ } = statement;
        let now = account.moment(now);
        let of = |kind| account.balance(Some(kind), now);
        let grants = live_grants(account, now);
        Self {
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
            usage_month: month_usage(bill),
        }
    }

    /// Returns the IDs of the active grants, in the order in which credits are drawn from them.
    pub fn grant_ids(&self) -> impl Iterator<Item = &GrantId> {
        self.grants.iter().map(|grant| &grant.id)
    }
}

fn live_grants(account: &Account, now: Timestamp) -> Vec<LiveGrant> {
    let mut live: Vec<(&GrantId, &Grant)> = account.live_grants(now).collect();
    let coming = account.pending_metered_grant(now);
    live.extend(coming.iter().map(|(id, grant)| (id, grant)));
    live.sort_by_key(|(_, grant)| grant.draw_order());
    let shown = |(id, grant): (&GrantId, &Grant)| {
        let Grant { kind, granted, left, expires_at } = grant.clone();
        LiveGrant { id: id.clone(), kind, granted, remaining: left, expires_at }
    };
    live.into_iter().map(shown).collect()
}

fn month_usage(bill: &Bill) -> MonthUsage {
    MonthUsage {
        by_product: bill.usage.clone(),
        credits: bill.usage.values().map(|line| line.credits).sum(),
        cost_usd: bill.totals.cents as f64 / 100.0,
    }
}
