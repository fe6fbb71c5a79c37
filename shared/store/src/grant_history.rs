//! What became of an organization's prepaid grants: an item for each, which stays.
//!
//! Metered credits are no part of it: they come and go with their month, whose bill tells of them.
use accounting::{Credits, GrantEnd, GrantEvent, GrantId, GrantKind, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::accounts::Accounts;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attributes, Item, NewItem, key, moment, number, text};
use super::keys;
use super::transaction::put;

/// A prepaid grant as its history tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRecord {
    pub id: GrantId,
    pub kind: GrantKind,
    /// How many credits were granted.
    pub granted: Credits,
    pub expires_at: Option<Timestamp>,
    /// When it joined its account.
    pub joined_at: Timestamp,
    /// Its end, which a refund may have undone since; the account knows.
    pub end: Option<RecordedEnd>,
}

/// How a grant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEnd {
    pub how: GrantEnd,
    pub at: Timestamp,
    /// What was left in it.
    pub left: Credits,
}

impl Accounts {
    /// Reads what became of an organization's prepaid grants, in the order of their ids.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn grant_history(&self, org: &OrgId) -> Result<Vec<GrantRecord>, StoreError> {
        self.query(&self.0.client, org, keys::GRANT_HISTORY).await?.iter().map(decode).collect()
    }

    /// Makes the write by which the history of grants is told an event.
    pub(super) fn history_write(&self, org: &OrgId, event: &GrantEvent) -> TransactWriteItem {
        let (GrantEvent::Joined { id, grant, .. } | GrantEvent::Ended { id, grant, .. }) = event;
        let expires_at = grant.expires_at.map(|expiry| number(expiry.unix_seconds()));
        let (partition, sort_key) = (keys::organization(org), keys::grant_in_history(id));
        match event {
            // The grant of refunds of a kind may have lived before: this is its new life.
            GrantEvent::Joined { at, .. } => {
                let item = NewItem::of_key(partition, sort_key)
                    .text("kind", grant.kind.letter())
                    .number("of", grant.granted)
                    .moment("joined", *at)
                    .with_some("end", expires_at);
                put(&self.0.accounts, item.build())
            }
            GrantEvent::Ended { how, at, .. } => {
                let mut expression = Expression::default();
                // The grant of refunds may have grown. Another one that came back with a refund has only the
                // refund's size: its first one is in the item.
                if matches!(grant.kind, GrantKind::Prepaid(kind) if *id == GrantId::of_refunds(kind)) {
                    expression.set("of", number(grant.granted));
                    expression.set_or_remove("end", expires_at);
                }
                expression.set("how", text(Into::<&str>::into(how)));
                expression.set("left", number(grant.left));
                expression.set("ended", moment(*at));
                expression.into_write(&self.0.accounts, key(partition, sort_key))
            }
        }
    }
}

fn decode(item: &Item) -> Result<GrantRecord, StoreError> {
    let attributes = Attributes(item);
    let id = attributes.text("sk")?.strip_prefix(keys::GRANT_HISTORY).and_then(|id| id.parse().ok());
    let end = match attributes.optional_parsed("how")? {
        None => None,
        Some(how) => {
            Some(RecordedEnd { how, at: attributes.moment("ended")?, left: attributes.number("left")? })
        }
    };
    Ok(GrantRecord {
        id: id.ok_or(StoreError::Corrupt("sk"))?,
        kind: GrantKind::of_letter(attributes.text("kind")?).ok_or(StoreError::Corrupt("kind"))?,
        granted: attributes.number("of")?,
        expires_at: attributes.optional_number("end")?.map(Timestamp::from_unix_seconds),
        joined_at: attributes.moment("joined")?,
        end,
    })
}
