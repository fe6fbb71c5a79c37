//! Converts the results of administrator commands to JSON.

use account::Balance;
use accounting::{OrgId, Timestamp};
use serde_json::{Value, json};
use store::{AppliedEvent, AssetState, ListedOrg, Member, OrgProfile, Statement, Subject};

/// Returns an account as in `GET /v2/billing/credits`, with additional fields for administrators.
pub(super) fn account(org: &OrgId, statement: &Statement, now: Timestamp) -> Value {
    let account = &statement.account;
    let balance = Balance::new(org, statement, now);
    let mut shown = serde_json::to_value(&balance).expect("a balance serializes to JSON");
    for (index, id) in balance.grant_ids().enumerate() {
        shown["grants"][index]["grant_id"] = json!(id);
    }
    let totals = account.totals;
    let moment = account.moment(now);
    let remaining: u64 = account.live_grants(moment).map(|(_, grant)| grant.left).sum();
    // Compute this number, because the account may not have recorded all expired credits yet.
    shown["credits_expired"] = json!(totals.granted.saturating_sub(totals.used).saturating_sub(remaining));
    shown["monthly_cap"] = json!(account.holder.monthly_cap().unwrap_or(0));
    shown["suspended_at"] = json!(account.suspended_at);
    shown
}

/// Returns an organization as an item for `marquee org list`.
pub(super) fn listed(listed: &ListedOrg, profile: Option<&OrgProfile>, now: Timestamp) -> Value {
    let ListedOrg { org, created_at, account } = listed;
    json!({
        "org_id": org,
        "name": profile.and_then(|profile| profile.name.as_ref()),
        "tier": account.holder.tier().name(),
        "balance": account.balance(None, account.moment(now)),
        "created_at": created_at,
        "signed_up_at": profile.and_then(|profile| profile.signed_up_at),
        "suspended_at": account.suspended_at,
    })
}

/// Returns a member, including their tokens' issuer and subject.
pub(super) fn member(member: &Member) -> Value {
    let Member { subject: Subject { issuer, subject }, role, name, email, joined_at } = member;
    let member_id = member.id();
    json!({
        "issuer": issuer,
        "subject": subject,
        "member_id": member_id,
        "role": role,
        "name": name,
        "email": email,
        "joined_at": joined_at,
    })
}

/// Returns a measurement event, with the asset's new state and the charged or refunded credits.
pub(super) fn applied_event(event: &AppliedEvent) -> Value {
    let mut shown = json!(event);
    shown["state"] = json!(event.state.map_or("deleted", AssetState::as_str));
    shown
}
