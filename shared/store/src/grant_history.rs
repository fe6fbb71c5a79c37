//! The history of an organization's prepaid grants. Each grant has an item that is never deleted.
//!
//! Metered credits aren't recorded here. They expire at the end of the month, and that month's bill records
//! their use.
use accounting::{Account, Credits, GrantEnd, GrantEvent, GrantId, GrantKind, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;
use derive_more::Display;
use serde::Serialize;
use serde_with::SerializeDisplay;

use super::accounts::Accounts;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attribute, Item, NewItem, Seconds, attribute, end_of_sort_key, key, moment, number, text};
use super::keys;
use super::transaction::put;

/// A prepaid grant's history and current state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrantLife {
    #[serde(rename = "grant_id")]
    pub id: GrantId,
    pub kind: GrantKind,
    pub granted: Credits,
    /// The remaining credits. For an ended grant, the credits that were left when it ended.
    pub remaining: Credits,
    pub expires_at: Option<Timestamp>,
    pub joined_at: Timestamp,
    pub state: GrantState,
    /// When the grant ended, or `None` while the grant is active.
    pub ended_at: Option<Timestamp>,
}

/// The state of a grant. Only active grants can be drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, SerializeDisplay)]
pub enum GrantState {
    #[display("live")]
    Live,
    #[display("{_0}")]
    Ended(GrantEnd),
}

impl Accounts {
    /// Reads the history of an organization's prepaid grants, in the order in which they were added.
    /// `account` must be read before this call. The state of its grants takes precedence over the history.
    pub async fn grant_lives(
        &self,
        org: &OrgId,
        account: &Account,
        now: Timestamp,
    ) -> Result<Vec<GrantLife>, StoreError> {
        let items = self.query(&self.0.client, org, keys::GRANT_HISTORY).await?;
        let mut lives: Vec<_> =
            items.iter().map(|item| life(item, account, now)).collect::<Result<_, _>>()?;
        lives.sort_by(|one, other| (one.joined_at, &one.id).cmp(&(other.joined_at, &other.id)));
        Ok(lives)
    }

    /// Returns the write that records an event in the grant history.
    pub(super) fn history_write(&self, org: &OrgId, event: &GrantEvent) -> TransactWriteItem {
        let (GrantEvent::Added { id, grant, .. } | GrantEvent::Ended { id, grant, .. }) = event;
        let expires_at = Seconds(grant.expires_at);
        let (partition, sort_key) = (keys::organization(org), keys::grant_in_history(id));
        match event {
            // An earlier refund grant may have had the same ID. The new item replaces its record.
            GrantEvent::Added { at, .. } => {
                let item = NewItem::of_key(partition, sort_key)
                    .with("kind", &grant.kind)
                    .with("of", &grant.granted)
                    .with("joined", at)
                    .with("end", &expires_at);
                put(&self.0.accounts, item.build())
            }
            GrantEvent::Ended { how, at, .. } => {
                let mut expression = Expression::default();
                // A refund grant may have grown since it was recorded, so its amount and expiry are updated.
                // The recorded amount of any other grant stays unchanged, because a grant that a refund
                // restored contains only the refunded credits.
                if matches!(grant.kind, GrantKind::Prepaid(kind) if *id == GrantId::of_refunds(kind)) {
                    expression.set("of", number(grant.granted));
                    expression.set_or_remove("end", expires_at.write());
                }
                expression.set("how", text(how.to_string()));
                expression.set("left", number(grant.left));
                expression.set("ended", moment(*at));
                expression.into_write(&self.0.accounts, key(partition, sort_key))
            }
        }
    }
}

/// Combines a grant's item with its account. If the account has the grant, the account takes precedence,
/// because a refund may have restored the grant after its end was recorded.
fn life(item: &Item, account: &Account, now: Timestamp) -> Result<GrantLife, StoreError> {
    let id = end_of_sort_key(item)?;
    let (granted, joined_at) = (attribute(item, "of")?, attribute(item, "joined")?);
    let (end, ended_at) = (attribute(item, "how")?, attribute(item, "ended")?);
    let Seconds(expires_at) = attribute(item, "end")?;
    let held = account.grants.get(&id);
    let (remaining, state, ended_at) = match (held, end) {
        (Some(grant), _) if grant.left == 0 => (0, GrantState::Ended(GrantEnd::UsedUp), ended_at),
        (Some(grant), _) if grant.is_expired(now) => {
            (grant.left, GrantState::Ended(GrantEnd::Expired), grant.expires_at)
        }
        (Some(grant), _) => (grant.left, GrantState::Live, None),
        (None, Some(end)) => (attribute(item, "left")?, GrantState::Ended(end), ended_at),
        // A grant's end is recorded when the grant is removed from the account. This grant has no recorded
        // end, so it was added after the account was read.
        (None, None) => (granted, GrantState::Live, None),
    };
    Ok(GrantLife {
        id,
        kind: attribute(item, "kind")?,
        // In the account, a restored grant contains only the refunded credits, and a refund grant can contain
        // more credits than the history records.
        granted: held.map_or(granted, |grant| granted.max(grant.granted)),
        remaining,
        expires_at: held.map_or(expires_at, |grant| grant.expires_at),
        joined_at,
        state,
        ended_at,
    })
}
