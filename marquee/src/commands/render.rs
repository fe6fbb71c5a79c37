//! What commands show, as JSON.

use serde_json::{Value, json};
use shared::dynamo::{AppliedEvent, AppliedPurchase, Key, MappedSubject};
use shared::types::{Account, AssetState, OrgId, Timestamp};

/// Shows an account.
pub(super) fn account(org: &OrgId, account: &Account, now: Timestamp) -> Value {
    let moment = account.moment(now);
    let grants = account.grants.iter().map(|(id, grant)| {
        json!({
            "grant": id.as_str(),
            "kind": grant.kind,
            "granted": grant.granted,
            "left": grant.left,
            "expires_at": grant.expires_at,
        })
    });
    json!({
        "org_id": org,
        "tier": account.holder.tier().name(),
        "monthly_cap": account.holder.monthly_cap().unwrap_or(0),
        "balance": account.balance(None, moment),
        "grants": grants.collect::<Vec<_>>(),
        "totals": {
            "granted": account.totals.granted,
            "left": account.left(),
            "used": account.totals.used,
            "expired": account.totals.expired,
        },
        "usage_today": { "day": account.today.day, "by_product": account.today.usage },
    })
}

/// Shows a subject that is mapped to an organization.
pub(super) fn subject(mapped: &MappedSubject) -> Value {
    let MappedSubject { issuer, subject, mapped_at } = mapped;
    json!({ "issuer": issuer, "subject": subject, "mapped_at": mapped_at })
}

/// Shows what a measurement event did.
pub(super) fn applied_event(event: &AppliedEvent) -> Value {
    let AppliedEvent { id, event_type, occurred_at, applied_at, purchase, charged, refunded, state } = event;
    let (purchase_id, product) = match purchase {
        Some(AppliedPurchase { id, product }) => (Some(id), Some(product)),
        None => (None, None),
    };
    json!({
        "event_id": id,
        "type": event_type,
        "occurred_at": occurred_at,
        "applied_at": applied_at,
        "purchase_id": purchase_id,
        "product": product,
        "credits_charged": charged,
        "credits_refunded": refunded,
        "state": state.map_or("deleted", AssetState::as_str),
    })
}

/// Shows a key without its clear text, which nothing keeps.
pub(super) fn key(key: &Key) -> Value {
    json!({
        "key_id": key.id,
        "label": key.label,
        "scopes": key.scopes,
        "last_four": key.last_four,
        "created_at": key.created_at,
        "revoked_at": key.revoked_at,
    })
}
