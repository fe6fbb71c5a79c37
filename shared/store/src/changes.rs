//! Records each organization's changes in a sequence without gaps and reads them.
//!
//! Each organization has an item with the number of its last change. The transaction that adds changes also
//! updates this item and writes a marker for each DynamoDB stream record that reported a change. If the
//! stream redelivers a record, the marker shows that the change is already recorded.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use std::cmp::Ordering;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::change::CHANGE_DAYS;
use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{NewItem, Stored, key, moment, number, stored};
use super::keys;
use super::query::{between, page, read};
use super::stream::Observed;
use super::transaction::{TransactionFailure, put_new, transact};
use crate::{ChangeType, RecordedChange};

/// The maximum number of changes in one transaction. DynamoDB allows 100 writes: one updates the sequence,
/// and each change needs two.
const MAX_CHANGES: usize = 49;

/// The maximum number of attempts to add changes while another process adds changes for the same
/// organization.
const MAX_ATTEMPTS: usize = 20;

/// How long a marker is kept, in days. A stream keeps its records for one day.
const MARKER_DAYS: i64 = 2;

/// All organizations' sequences of changes.
#[derive(Clone, Debug)]
pub struct Changes(Dynamo);

/// A change to record.
#[derive(Clone, Debug)]
pub struct NewChange {
    pub change_type: ChangeType,
    /// The details, as a JSON object.
    pub data: String,
}

/// The result of reading a page of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangePage {
    Read {
        changes: Vec<RecordedChange>,
        /// The number after which the next page starts.
        last: u64,
        has_more: bool,
    },
    /// Some changes after the given number are no longer kept.
    Expired,
    /// The given number is greater than the last number in the sequence.
    Ahead,
}

/// The end of an organization's sequence.
#[derive(Clone, Debug)]
struct Sequence {
    /// The number of the last change, or 0 if there are no changes yet.
    last: u64,
    /// When the last change was recorded.
    recorded_at: Timestamp,
}

stored!(Sequence { last: "last", recorded_at: "recorded" });

impl Changes {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Adds changes to an organization's sequence, in the given order. Skips changes that are already
    /// recorded.
    pub async fn record(&self, org: &OrgId, observed: &[(Observed, NewChange)]) -> Result<(), StoreError> {
        for some in observed.chunks(MAX_CHANGES) {
            self.record_some(org, some.iter().collect()).await?;
        }
        Ok(())
    }

    /// Reads up to `limit` changes after the given number, or the oldest changes that are still kept if
    /// `after` is `None`.
    pub async fn page(
        &self,
        org: &OrgId,
        after: Option<u64>,
        limit: usize,
        now: Timestamp,
    ) -> Result<ChangePage, StoreError> {
        // If no changes are kept, the next page starts after the last change that was recorded before the
        // query.
        let end = match after {
            None => self.sequence(org).await?.last,
            Some(after) => after,
        };
        let (mut changes, mut has_more) = self.kept(org, after.unwrap_or(0), limit, now).await?;
        let first = match after {
            Some(after) => after.saturating_add(1),
            None => changes.first().map_or(end, |change| change.number),
        };
        // The query may return only some of a transaction's changes. The others follow on the next page.
        let complete =
            changes.iter().zip(first..).take_while(|(change, next)| change.number == *next).count();
        has_more |= complete < changes.len();
        changes.truncate(complete);
        match (changes.last().map(|change| change.number), after) {
            (Some(last), _) => Ok(ChangePage::Read { changes, last, has_more }),
            (None, None) => Ok(ChangePage::Read { changes, last: end, has_more }),
            (None, Some(after)) => self.nothing_after(org, after, now).await,
        }
    }

    /// Returns the page for a query that didn't find the change after number `after`, depending on why it
    /// wasn't found.
    async fn nothing_after(&self, org: &OrgId, after: u64, now: Timestamp) -> Result<ChangePage, StoreError> {
        let none = |has_more| ChangePage::Read { changes: Vec::new(), last: after, has_more };
        Ok(match after.cmp(&self.sequence(org).await?.last) {
            Ordering::Greater => ChangePage::Ahead,
            Ordering::Equal => none(false),
            // The next change was added after the query.
            Ordering::Less if self.is_kept(org, after + 1, now).await? => none(true),
            Ordering::Less => ChangePage::Expired,
        })
    }

    /// Reads up to `limit` unexpired changes after a number, and returns whether there are more.
    async fn kept(
        &self,
        org: &OrgId,
        after: u64,
        limit: usize,
        now: Timestamp,
    ) -> Result<(Vec<RecordedChange>, bool), StoreError> {
        let Dynamo { client, assets, .. } = &self.0;
        let range = [keys::change(after.saturating_add(1)), keys::change(u64::MAX)];
        // The database may delete expired changes late and in any order.
        let query = between(client, assets, &keys::changes(org), range)
            .filter_expression("recorded > :oldest")
            .expression_attribute_values(":oldest", moment(now.plus_days(-CHANGE_DAYS)));
        let (items, has_more) = page(query, None, limit).await?;
        Ok((items.iter().map(RecordedChange::load).collect::<Result<_, _>>()?, has_more))
    }

    async fn record_some(
        &self,
        org: &OrgId,
        mut observed: Vec<&(Observed, NewChange)>,
    ) -> Result<(), StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            if observed.is_empty() {
                return Ok(());
            }
            let seen = self.sequence(org).await?;
            match transact(&self.0, self.adding(org, &seen, &observed)).await {
                Ok(()) => return Ok(()),
                Err(TransactionFailure::Call(error)) => return Err(error),
                // Another process has added changes, or some of these changes are already recorded.
                Err(failure) => {
                    let mut markers = (1..).step_by(2);
                    observed.retain(|_| markers.next().is_some_and(|marker| !failure.is_of(marker)));
                }
            }
        }
        Err(StoreError::Contended("other processes are recording changes for the same organization"))
    }

    /// Returns the writes that add changes after the end of a sequence: the new end, and then a marker and an
    /// item for each change.
    fn adding(
        &self,
        org: &OrgId,
        seen: &Sequence,
        observed: &[&(Observed, NewChange)],
    ) -> Vec<TransactWriteItem> {
        // Later changes never have an earlier time, even if another process's clock is behind.
        let recorded_at = self.0.clock.now().max(seen.recorded_at);
        let end = Sequence { last: seen.last + observed.len() as u64, recorded_at };
        let mut expression = Expression::default();
        match seen.last {
            0 => expression.require("attribute_not_exists(pk)"),
            last => expression.require_equal("last", number(last)),
        }
        let item = NewItem::of_key(keys::changes(org), keys::SEQUENCE).with_all(&end);
        let mut writes = vec![expression.into_put(&self.0.assets, item.build())];
        for (number, (Observed { record, at, .. }, NewChange { change_type, data })) in
            (seen.last + 1..).zip(observed.iter().copied())
        {
            let (change_type, at, data) = (*change_type, *at, data.clone());
            let change = RecordedChange { number, change_type, at, recorded_at, data };
            let marker = NewItem::of_key(keys::changes(org), keys::recorded(record))
                .time_to_live(recorded_at.plus_days(MARKER_DAYS));
            let item = NewItem::of_key(keys::changes(org), keys::change(number))
                .with_all(&change)
                .time_to_live(change.expires_at().plus_seconds(1));
            writes.extend([marker, item].map(|item| put_new(&self.0.assets, item.build())));
        }
        writes
    }

    async fn sequence(&self, org: &OrgId) -> Result<Sequence, StoreError> {
        let sequence = key(keys::changes(org), keys::SEQUENCE);
        let found = read(&self.0.client, &self.0.assets, sequence).await?;
        Ok(found.unwrap_or(Sequence { last: 0, recorded_at: Timestamp::from_unix_millis(0) }))
    }

    async fn is_kept(&self, org: &OrgId, number: u64, now: Timestamp) -> Result<bool, StoreError> {
        let change = key(keys::changes(org), keys::change(number));
        let change: Option<RecordedChange> = read(&self.0.client, &self.0.assets, change).await?;
        Ok(change.is_some_and(|change| change.expires_at() > now))
    }
}
