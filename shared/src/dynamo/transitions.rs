use std::collections::HashMap;

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::accounts::Accounts;
use super::assets::Assets;
use super::expression::Expression;
use super::head::{self, Head};
use super::item::{Attributes, Item, key, number, text};
use super::purchase::Purchase;
use super::transaction::{Cancelled, put_new, transact};
use super::{StoreError, keys};
use crate::types::{AccountChange, AccountKey, AssetId, AssetState, EventId, OrgId, Timestamp};

/// How long an applied event is remembered, in days: a queue keeps a message for at most 14.
const EVENT_DAYS: i64 = 15;

/// What an applied event is remembered by.
#[derive(Clone, Debug)]
pub struct Mark<'a> {
    /// The sender's id.
    pub id: &'a EventId,
    /// What the event is about: the same id with another content is another event.
    pub of: String,
}

/// What an event finds.
#[derive(Clone, Debug)]
pub enum Standing {
    /// The event was applied before.
    AlreadyApplied,
    /// Another event was applied under the same id.
    IdTaken,
    /// The asset, with the purchase of its measurement.
    Asset(Box<Head>, Option<Purchase>),
    /// An asset that was deleted while queued, at a version, with the purchase unless it was refunded.
    Tombstone(u64, Option<Purchase>),
    /// Neither.
    Nothing,
}

/// What an event does, all or nothing.
#[derive(Debug)]
pub enum Movement<'a> {
    /// Moves an asset.
    Asset {
        /// The asset as it was found.
        head: &'a Head,
        /// Its new state.
        state: AssetState,
        /// Its new time of measurement.
        last_measured_at: Option<Timestamp>,
        /// The purchase that goes with the new state.
        purchase: Option<Purchase>,
    },
    /// Acknowledges an event of a deleted asset.
    Tombstone {
        /// The asset.
        id: AssetId,
        /// The tombstone's version as it was found.
        version: u64,
        /// The purchase that is still to be settled.
        purchase: Option<Purchase>,
    },
}

/// Why a movement did not happen.
#[derive(Debug)]
pub enum TransitionFailure {
    /// The event was applied meanwhile, or the asset, the tombstone or the account changed: look again.
    Moved,
    /// Storage failed.
    Store(StoreError),
}

impl Assets {
    /// Reads what an event of an asset finds, in one call.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn standing(&self, org: &OrgId, id: AssetId, event: &Mark<'_>) -> Result<Standing, StoreError> {
        let library = keys::library(self.family, org);
        let wanted = vec![
            key(keys::event(event.id), keys::EVENT),
            key(&library, keys::asset(id)),
            key(&library, keys::tombstone(id)),
        ];
        let found = self.batch_get(wanted).await?;
        let by_key: HashMap<&str, &Item> =
            found.iter().map(|item| Ok((Attributes(item).text("sk")?, item))).collect::<Result<_, StoreError>>()?;
        if let Some(item) = by_key.get(keys::EVENT) {
            let same = Attributes(item).text("of")? == event.of;
            return Ok(if same { Standing::AlreadyApplied } else { Standing::IdTaken });
        }
        if let Some(item) = by_key.get(keys::asset(id).as_str()) {
            let head = head::decode(item)?;
            let purchase = head.purchase.clone();
            return Ok(Standing::Asset(Box::new(head), purchase));
        }
        let Some(item) = by_key.get(keys::tombstone(id).as_str()) else {
            return Ok(Standing::Nothing);
        };
        let purchase = item.get("purchase").map(Purchase::decode).transpose()?;
        Ok(Standing::Tombstone(Attributes(item).number("version")?, purchase))
    }

    /// Applies an event once: the movement, the account's change and the event's mark, in one transaction.
    ///
    /// # Errors
    ///
    /// When something changed since it was read, or the database does not answer.
    pub async fn apply(
        &self,
        org: &OrgId,
        event: &Mark<'_>,
        movement: Movement<'_>,
        account: Option<&AccountChange>,
    ) -> Result<(), TransitionFailure> {
        let mut writes = vec![self.mark_applied(event)];
        writes.extend(self.movement_writes(org, movement));
        let accounts = Accounts::new(self.dynamo.clone());
        writes.extend(account.into_iter().flat_map(|change| accounts.writes(&AccountKey::Org(org.clone()), change)));
        match transact(&self.dynamo, writes).await {
            Ok(()) => Ok(()),
            Err(Cancelled::Condition(_)) => Err(TransitionFailure::Moved),
            Err(Cancelled::Verdict(verdict)) => Err(TransitionFailure::Store(verdict.into())),
        }
    }

    fn mark_applied(&self, event: &Mark<'_>) -> TransactWriteItem {
        let mut item = key(keys::event(event.id), keys::EVENT);
        item.insert("of".to_owned(), text(&event.of));
        item.insert("ttl".to_owned(), number(self.forgotten_at()));
        // The time to live lags, so an event past it may still lie there: it stays applied.
        put_new(&self.dynamo.assets, item)
    }

    /// Returns when an event applied now may be forgotten, in Unix seconds.
    fn forgotten_at(&self) -> i64 {
        self.dynamo.clock.now().plus_days(EVENT_DAYS).unix_seconds()
    }

    fn movement_writes(&self, org: &OrgId, movement: Movement<'_>) -> Vec<TransactWriteItem> {
        let (head, state, last_measured_at, purchase) = match movement {
            Movement::Tombstone { id, version, purchase } => {
                let mut expression = Expression::default();
                express_purchase(&mut expression, purchase.as_ref());
                if purchase.is_none() {
                    // Nothing is left to be settled; it stays for as long as a queue may deliver late events.
                    expression.set("ttl", number(self.forgotten_at()));
                }
                return vec![self.bump(org, keys::tombstone(id), version, expression)];
            }
            Movement::Asset { head, state, last_measured_at, purchase } => (head, state, last_measured_at, purchase),
        };
        let mut expression = Expression::default();
        expression.set("state", text(state.as_str()));
        expression.set("by_state", text(keys::by_state(self.family, org, state)));
        expression.set("updated", number(self.dynamo.clock.now().unix_millis()));
        if let Some(measured) = last_measured_at {
            expression.set("measured", number(measured.unix_millis()));
        }
        express_purchase(&mut expression, purchase.as_ref());
        let mut writes = vec![self.bump(org, keys::asset(head.id), head.version, expression)];
        if head.state != state {
            writes.push(self.count(org, head.id, Some(head.state), Some(state)));
        }
        writes
    }

    /// Updates an item that is still at `version`, and moves it to the next.
    fn bump(&self, org: &OrgId, sk: String, version: u64, mut expression: Expression) -> TransactWriteItem {
        expression.require_equal("version", number(version));
        expression.set("version", number(version + 1));
        let item_key = key(keys::library(self.family, org), sk);
        expression.into_write(&self.dynamo.assets, item_key, ReturnValuesOnConditionCheckFailure::None)
    }
}

fn express_purchase(expression: &mut Expression, purchase: Option<&Purchase>) {
    match purchase {
        Some(purchase) => expression.set("purchase", purchase.encode()),
        None => {
            let name = expression.name("purchase");
            expression.remove(name);
        }
    }
}
