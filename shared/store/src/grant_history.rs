//! What became of an organization's prepaid grants: an item for each, which stays.
//!
//! Metered credits are no part of it: they come and go with their month, whose bill tells of them.
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

/// A prepaid grant from when it joined its account until nothing can be drawn from it any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrantLife {
    #[serde(rename = "grant_id")]
    pub id: GrantId,
    pub kind: GrantKind,
    pub granted: Credits,
    /// What is left of it, or was when it ended.
    pub remaining: Credits,
    pub expires_at: Option<Timestamp>,
    pub joined_at: Timestamp,
    pub state: GrantState,
    /// `None` of one that is live.
    pub ended_at: Option<Timestamp>,
}

/// Whether a grant can be drawn on, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, SerializeDisplay)]
pub enum GrantState {
    #[display("live")]
    Live,
    #[display("{_0}")]
    Ended(GrantEnd),
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
        let items = self.query(&self.0.client, org, keys::GRANT_HISTORY).await?;
        let mut lives: Vec<_> =
            items.iter().map(|item| life(item, account, now)).collect::<Result<_, _>>()?;
        lives.sort_by(|one, other| (one.joined_at, &one.id).cmp(&(other.joined_at, &other.id)));
        Ok(lives)
    }

    /// Makes the write by which the history of grants is told an event.
    pub(super) fn history_write(&self, org: &OrgId, event: &GrantEvent) -> TransactWriteItem {
        let (GrantEvent::Joined { id, grant, .. } | GrantEvent::Ended { id, grant, .. }) = event;
        let expires_at = Seconds(grant.expires_at);
        let (partition, sort_key) = (keys::organization(org), keys::grant_in_history(id));
        match event {
            // The grant of refunds of a kind may have lived before: this is its new life.
            GrantEvent::Joined { at, .. } => {
                let item = NewItem::of_key(partition, sort_key)
                    .with("kind", &grant.kind)
                    .with("of", &grant.granted)
                    .with("joined", at)
                    .with("end", &expires_at);
                put(&self.0.accounts, item.build())
            }
            GrantEvent::Ended { how, at, .. } => {
                let mut expression = Expression::default();
                // The grant of refunds may have grown. Another one that came back with a refund has only the
                // refund's size: its first one is in the item.
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

/// Tells of a grant by its item and by its account, which knows better while it has the grant: a refund may
/// have undone an end that was written.
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
        // Its end is written when it leaves: it has joined since the account was read.
        (None, None) => (granted, GrantState::Live, None),
    };
    Ok(GrantLife {
        id,
        kind: attribute(item, "kind")?,
        // A grant that a refund brought back has the refund's size in the account; that of refunds may grow.
        granted: held.map_or(granted, |grant| granted.max(grant.granted)),
        remaining,
        expires_at: held.map_or(expires_at, |grant| grant.expires_at),
        joined_at,
        state,
        ended_at,
    })
}
