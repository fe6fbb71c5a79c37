//! Applies measurement events to assets. Each event is applied only once.
use std::collections::HashMap;

use accounting::{AccountKey, Change, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::account_item::StoredAccount;
use super::accounts::Accounts;
use super::applied_events::AppliedEvent;
use super::assets::Assets;
use super::batch::batch_get;
use super::entry::EntryId;
use super::error::StoreError;
use super::expression::Expression;
use super::head::Head;
use super::item::{Attribute, Item, NewItem, Stored, attribute, key, moment, number, stored, text};
use super::keys;
use super::purchase::Purchase;
use super::query::read;
use super::scheduled_checks::ScheduledCheck;
use super::tables::BY_STATE;
use super::transaction::{happened, put_new, transact};
use crate::{AssetId, AssetState, EventId};

/// How long an applied event is remembered, in days. A queue keeps a message for at most 14 days.
const EVENT_DAYS: i64 = 15;

/// The data that identifies an event, even if the event is resent.
#[derive(Clone, Debug)]
pub struct EventIdentity<'a> {
    /// The ID that the sender assigned to the event.
    pub id: &'a EventId,
    /// The event's family, organization, asset, and type. An event with the same ID but different content is
    /// a different event.
    pub content: String,
}

/// The result of looking up an event and its asset.
#[derive(Clone, Debug)]
pub enum EventLookup {
    /// The event was already applied.
    AlreadyApplied,
    /// Another event with the same ID was already applied.
    IdTaken,
    Asset(Box<Head>),
    /// The tombstone of an asset that was deleted while it was queued.
    Tombstone(Tombstone),
    /// Neither an asset nor a tombstone exists.
    Nothing,
}

/// The record that is kept when an asset is deleted while its measurement is queued.
#[derive(Clone, Debug)]
pub struct Tombstone {
    /// The version of the tombstone, starting at 1.
    pub version: u64,
    /// The unsettled purchase, or `None` once it's refunded or final.
    pub purchase: Option<Purchase>,
}

stored!(Tombstone { version: "version", purchase: "purchase" });

/// The effect of an event on an organization's account.
#[derive(Clone, Debug)]
pub struct AccountChange {
    /// The account that the change was derived from.
    pub seen: StoredAccount,
    pub change: Change,
}

/// The effect of an event on an asset or its tombstone.
#[derive(Debug)]
pub enum Transition<'a> {
    /// Updates an asset's state, measurement time, and purchase.
    Asset {
        /// The asset as it was read.
        head: &'a Head,
        /// The new state.
        state: AssetState,
        /// The new time of the last measurement, or `None` to remove it.
        last_measured_at: Option<Timestamp>,
        /// The purchase to store with the new state.
        purchase: Option<Purchase>,
    },
    /// Updates the tombstone of a deleted asset.
    Tombstone {
        id: AssetId,
        /// The version of the tombstone as it was read.
        version: u64,
        /// The unsettled purchase, or `None` if it's settled.
        purchase: Option<Purchase>,
    },
}

impl Transition<'_> {
    /// Returns the asset's ID, and the sort key for the record of the event's effects.
    fn applied_key(&self) -> (AssetId, String) {
        match self {
            Self::Asset { head, .. } => (head.id, keys::applied_to_asset(head.version)),
            Self::Tombstone { id, version, .. } => (*id, keys::applied_to_tombstone(*version)),
        }
    }
}

impl Assets {
    /// Reads an event's record, asset, and tombstone in one call.
    pub async fn look_up(
        &self,
        org: &OrgId,
        id: AssetId,
        event: &EventIdentity<'_>,
    ) -> Result<EventLookup, StoreError> {
        let library = keys::library(self.family, org);
        let wanted = vec![
            key(keys::event(event.id), keys::EVENT),
            key(&library, keys::asset(id)),
            key(&library, keys::tombstone(id)),
        ];
        let found = batch_get(&self.dynamo, &self.dynamo.assets, wanted).await?;
        let by_key: HashMap<String, &Item> =
            found.iter().map(|item| Ok((attribute(item, "sk")?, item))).collect::<Result<_, StoreError>>()?;
        if let Some(item) = by_key.get(keys::EVENT) {
            let same = attribute::<String>(item, "of")? == event.content;
            return Ok(if same { EventLookup::AlreadyApplied } else { EventLookup::IdTaken });
        }
        if let Some(item) = by_key.get(&keys::asset(id)) {
            return Ok(EventLookup::Asset(Box::new(Head::load(item)?)));
        }
        Ok(match by_key.get(&keys::tombstone(id)) {
            Some(item) => EventLookup::Tombstone(Tombstone::load(item)?),
            None => EventLookup::Nothing,
        })
    }

    /// Reads the tombstone of an asset that was deleted while it was queued.
    pub async fn read_tombstone(&self, org: &OrgId, id: AssetId) -> Result<Option<Tombstone>, StoreError> {
        let tombstone = key(keys::library(self.family, org), keys::tombstone(id));
        read(&self.dynamo.client, &self.dynamo.assets, tombstone).await
    }

    /// Applies an event at most once. The transition, the account's change, the record of the event, and the
    /// record of its effects are written in one transaction. Returns `false` if the event has been applied in
    /// the meantime, or if the asset, tombstone, or account has changed. The caller must then look up the
    /// event again.
    pub async fn apply_transition(
        &self,
        org: &OrgId,
        event: &EventIdentity<'_>,
        transition: Transition<'_>,
        account: Option<&AccountChange>,
        applied: &AppliedEvent,
    ) -> Result<bool, StoreError> {
        let mut writes = vec![self.record(event)];
        let (id, sk) = transition.applied_key();
        writes.push(self.keep_applied(org, id, sk, applied));
        writes.extend(self.transition_writes(org, transition));
        let accounts = Accounts::new(self.dynamo.clone());
        if let Some(AccountChange { seen, change }) = account {
            let key = AccountKey::Org(org.clone());
            let entry = Some(EntryId::event(event.id));
            writes.extend(accounts.writes(&key, seen, entry, change).await?);
        }
        happened(transact(&self.dynamo, writes).await)
    }

    fn record(&self, event: &EventIdentity<'_>) -> TransactWriteItem {
        let item = NewItem::of_key(keys::event(event.id), keys::EVENT)
            .with("of", &event.content)
            .time_to_live(self.forgotten_at());
        // The record may still exist after its time to live. Until it's deleted, the event counts as applied.
        put_new(&self.dynamo.assets, item.build())
    }

    /// Returns the time when the database can delete the record of an event that is applied now.
    fn forgotten_at(&self) -> Timestamp {
        self.dynamo.clock.now().plus_days(EVENT_DAYS)
    }

    fn transition_writes(&self, org: &OrgId, transition: Transition<'_>) -> Vec<TransactWriteItem> {
        let (head, state, last_measured_at, purchase) = match transition {
            Transition::Tombstone { id, version, purchase } => {
                let mut expression = Expression::default();
                expression.set_or_remove("purchase", purchase.write());
                if purchase.is_none() {
                    // The purchase is settled. The tombstone is kept for as long as the queue may deliver
                    // late events.
                    expression.set_time_to_live(self.forgotten_at());
                }
                return vec![self.bump(org, keys::tombstone(id), version, expression)];
            }
            Transition::Asset { head, state, last_measured_at, purchase } => {
                (head, state, last_measured_at, purchase)
            }
        };
        let mut expression = Expression::default();
        expression.set("state", text(state.as_str()));
        expression.set(BY_STATE, text(keys::by_state(self.family, org, state)));
        expression.set("updated", moment(self.dynamo.clock.now()));
        expression.set_or_remove("measured", last_measured_at.map(moment));
        expression.set_or_remove("purchase", purchase.write());
        let mut writes = vec![self.bump(org, keys::asset(head.id), head.version, expression)];
        writes.extend(self.check_queued(org, head.id, state, purchase.as_ref()));
        if head.state != state {
            writes.push(self.count(org, head.id, Some(head.state), Some(state)));
        }
        writes
    }

    /// Returns the write that schedules an immediate check of a queued asset, if this service measures it.
    pub(super) fn check_queued(
        &self,
        org: &OrgId,
        id: AssetId,
        state: AssetState,
        purchase: Option<&Purchase>,
    ) -> Option<TransactWriteItem> {
        let is_own = purchase.is_some_and(|purchase| purchase.is_own);
        let check = ScheduledCheck {
            due_at: self.dynamo.clock.now(),
            family: self.family,
            org: org.clone(),
            asset: id,
        };
        (is_own && state == AssetState::Queued).then(|| check.put(&self.dynamo))
    }

    /// Returns the write that updates an item and increments its version, on the condition that the item
    /// still has `version`.
    fn bump(&self, org: &OrgId, sk: String, version: u64, mut expression: Expression) -> TransactWriteItem {
        expression.require_equal("version", number(version));
        expression.set("version", number(version + 1));
        expression.into_write(&self.dynamo.assets, key(keys::library(self.family, org), sk))
    }
}
