//! What became of an organization's prepaid grants: an item for each, which stays.
//!
//! Metered credits are no part of it: they come and go with their month, whose bill tells of them.

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::account_change::GrantEvent;
use super::accounts::Accounts;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use crate::types::{Credits, Grant, GrantEnd, GrantId, GrantKind, OrgId, Timestamp};

/// A prepaid grant as its history tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRecord {
    pub id: GrantId,
    pub kind: GrantKind,
    /// How many credits were granted.
    pub granted: Credits,
    pub expires_at: Option<Timestamp>,
    /// When it joined its account; `None` of one that joined before there was a history.
    pub joined_at: Option<Timestamp>,
    /// Its end, which a refund may have undone since; the account knows.
    pub end: Option<RecordedEnd>,
}

/// How a grant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEnd {
    pub how: GrantEnd,
    /// `None` of one that was used up before there was a history.
    pub at: Option<Timestamp>,
    /// What was left in it.
    pub left: Credits,
}

impl Accounts {
    /// Reads what became of an organization's prepaid grants, in the order of their ids. Grants of which
    /// nothing has been written yet are in the account alone.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn grant_history(&self, org: &OrgId) -> Result<Vec<GrantRecord>, StoreError> {
        self.query(&self.0.client, org, keys::GRANT_HISTORY).await?.iter().map(decode).collect()
    }

    /// Makes the write by which the history of grants is told an event.
    pub(super) fn history_write(&self, org: &OrgId, event: &GrantEvent) -> TransactWriteItem {
        let mut expression = Expression::default();
        let id = match event {
            GrantEvent::Joined { id, grant, at } => {
                expression.set("kind", text(grant.kind.letter()));
                expression.set("of", number(grant.granted));
                express_expiry(&mut expression, grant);
                expression.set("joined", number(at.unix_millis()));
                // The grant of refunds of a kind may have lived before.
                for name in ["how", "ended", "left"] {
                    let name = expression.name(name);
                    expression.remove(name);
                }
                id
            }
            GrantEvent::Ended { id, grant, how, at } => {
                expression.set("kind", text(grant.kind.letter()));
                express_size(&mut expression, id, grant);
                express_expiry(&mut expression, grant);
                express_end(&mut expression, grant, *how, *at);
                id
            }
        };
        let item_key = key(keys::organization(org), keys::grant_in_history(id));
        expression.into_write(&self.0.accounts, item_key, ReturnValuesOnConditionCheckFailure::None)
    }
}

/// Writes how many credits a grant had. One that left and came back with a refund has its first size there.
fn express_size(expression: &mut Expression, id: &GrantId, grant: &Grant) {
    let takes_refunds = matches!(grant.kind, GrantKind::Prepaid(kind) if *id == GrantId::of_refunds(kind));
    if takes_refunds {
        expression.set("of", number(grant.granted));
        return;
    }
    let (size, granted) = (expression.name("of"), expression.value(number(grant.granted)));
    expression.set_clause(format!("{size} = if_not_exists({size}, {granted})"));
}

fn express_expiry(expression: &mut Expression, grant: &Grant) {
    match grant.expires_at {
        Some(expiry) => expression.set("end", number(expiry.unix_seconds())),
        None => {
            let name = expression.name("end");
            expression.remove(name);
        }
    }
}

fn express_end(expression: &mut Expression, grant: &Grant, how: GrantEnd, at: Option<Timestamp>) {
    let end = [("how", text(Into::<&str>::into(how))), ("left", number(grant.left))];
    match at {
        Some(at) => {
            expression.set("ended", number(at.unix_millis()));
            for (name, value) in end {
                expression.set(name, value);
            }
        }
        None => {
            for (name, value) in end {
                let (name, value) = (expression.name(name), expression.value(value));
                expression.set_clause(format!("{name} = if_not_exists({name}, {value})"));
            }
        }
    }
}

fn decode(item: &Item) -> Result<GrantRecord, StoreError> {
    let attributes = Attributes(item);
    let moment = |name| attributes.optional_number(name).map(|at| at.map(Timestamp::from_unix_millis));
    let id = attributes.text("sk")?.strip_prefix(keys::GRANT_HISTORY).and_then(|id| id.parse().ok());
    let letter = attributes.text("kind")?;
    let kind = GrantKind::all().find(|kind| kind.letter() == letter);
    let end = match attributes.optional_text("how")? {
        None => None,
        Some(_) => Some(RecordedEnd {
            how: attributes.parsed("how")?,
            at: moment("ended")?,
            left: attributes.number("left")?,
        }),
    };
    Ok(GrantRecord {
        id: id.ok_or(StoreError::Corrupt("sk"))?,
        kind: kind.ok_or(StoreError::Corrupt("kind"))?,
        granted: attributes.number("of")?,
        expires_at: attributes.optional_number("end")?.map(Timestamp::from_unix_seconds),
        joined_at: moment("joined")?,
        end,
    })
}
