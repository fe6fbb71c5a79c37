//! Records the changes of organizations in sequences without gaps, and reads them.
//!
//! Each organization has one item with the number of its last change. The transaction that adds changes also
//! updates this item, and writes a marker for each record of the stream. A record that the stream repeats is
//! recognized by its marker.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

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

/// The maximum number of changes in one transaction of 100 writes, which also updates the sequence.
const MAX_CHANGES: usize = 49;

/// The maximum number of attempts to add changes while another process adds changes of the same organization.
const MAX_ATTEMPTS: usize = 20;

/// How long a marker is kept, in days. A stream keeps its records for one day.
const MARKER_DAYS: i64 = 2;

/// The sequences of changes of all organizations.
#[derive(Clone, Debug)]
pub struct Changes(Dynamo);

/// A change to be recorded.
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
    /// Changes after the given number are no longer kept.
    Expired,
    /// The sequence hasn't reached the given number.
    Ahead,
}

/// The end of an organization's sequence.
#[derive(Clone, Debug)]
struct Sequence {
    /// The number of the last change.
    last: u64,
    /// When the last change was recorded.
    recorded_at: Timestamp,
}

stored!(Sequence { last: "last", recorded_at: "recorded" });

impl Changes {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Adds the changes of an organization to its sequence, in the given order. Skips changes that are
    /// already recorded.
    pub async fn record(&self, org: &OrgId, observed: &[(Observed, NewChange)]) -> Result<(), StoreError> {
        for some in observed.chunks(MAX_CHANGES) {
            self.record_some(org, some.iter().collect()).await?;
        }
        Ok(())
    }

    /// Reads up to `limit` changes after a number, or the oldest changes that are kept if `after` is `None`.
    pub async fn page(
        &self,
        org: &OrgId,
        after: Option<u64>,
        limit: usize,
        now: Timestamp,
    ) -> Result<ChangePage, StoreError> {
        // If no changes are kept, the next page starts after the changes that exist before the query.
        let end = match after {
            None => self.sequence(org).await?.map_or(0, |sequence| sequence.last),
            Some(after) => after,
        };
        let (mut changes, mut has_more) = self.kept(org, after.unwrap_or(0), limit, now).await?;
        let first = after.map(|after| after.saturating_add(1));
        let first = first.or_else(|| changes.first().map(|change| change.number)).unwrap_or(end);
        // A transaction may be visible only partly. Its other changes follow on the next page.
        let complete =
            changes.iter().zip(first..).take_while(|(change, next)| change.number == *next).count();
        has_more |= complete < changes.len();
        changes.truncate(complete);
        if let Some(last) = changes.last().map(|change| change.number) {
            return Ok(ChangePage::Read { changes, last, has_more });
        }
        let Some(after) = after else { return Ok(ChangePage::Read { changes, last: end, has_more }) };
        let last = self.sequence(org).await?.map_or(0, |sequence| sequence.last);
        Ok(match after {
            _ if after > last => ChangePage::Ahead,
            _ if after == last => ChangePage::Read { changes, last, has_more: false },
            // The next change has been added after the query.
            _ if self.is_kept(org, first, now).await? => {
                ChangePage::Read { changes, last: after, has_more: true }
            }
            _ => ChangePage::Expired,
        })
    }

    /// Reads up to `limit` changes after a number that haven't expired, and returns whether more exist.
    async fn kept(
        &self,
        org: &OrgId,
        after: u64,
        limit: usize,
        now: Timestamp,
    ) -> Result<(Vec<RecordedChange>, bool), StoreError> {
        let Dynamo { client, assets, .. } = &self.0;
        let range = [keys::change(after.saturating_add(1)), keys::change(u64::MAX)];
        // The database may delete expired changes late, and in any order.
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
            let mut writes = vec![self.advance(org, seen.as_ref(), observed.len())];
            let (last, recorded_at) =
                (seen.as_ref().map_or(0, |seen| seen.last), self.recorded_at(seen.as_ref()));
            for (number, (Observed { record, at, .. }, NewChange { change_type, data })) in
                (last + 1..).zip(observed.iter().copied())
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
            match transact(&self.0, writes).await {
                Ok(()) => return Ok(()),
                Err(TransactionFailure::Call(error)) => return Err(error),
                // Another process has added changes, or some of these changes are already recorded.
                Err(failure) => {
                    let mut index = 0;
                    observed.retain(|_| {
                        index += 2;
                        !failure.is_of(index - 1)
                    });
                }
            }
        }
        Err(StoreError::Contended("other processes are recording changes of the same organization"))
    }

    /// Returns the write that adds a number of changes to the sequence.
    fn advance(&self, org: &OrgId, seen: Option<&Sequence>, added: usize) -> TransactWriteItem {
        let mut expression = Expression::default();
        match seen {
            Some(seen) => expression.require_equal("last", number(seen.last)),
            None => expression.require("attribute_not_exists(pk)"),
        }
        let last = seen.map_or(0, |seen| seen.last) + added as u64;
        let sequence = Sequence { last, recorded_at: self.recorded_at(seen) };
        let item = NewItem::of_key(keys::changes(org), keys::SEQUENCE).with_all(&sequence);
        expression.into_put(&self.0.assets, item.build())
    }

    /// Returns the time of changes that are recorded now. It's never before that of earlier changes.
    fn recorded_at(&self, seen: Option<&Sequence>) -> Timestamp {
        let now = self.0.clock.now();
        seen.map_or(now, |seen| now.max(seen.recorded_at))
    }

    async fn sequence(&self, org: &OrgId) -> Result<Option<Sequence>, StoreError> {
        let sequence = key(keys::changes(org), keys::SEQUENCE);
        read(&self.0.client, &self.0.assets, sequence).await
    }

    async fn is_kept(&self, org: &OrgId, number: u64, now: Timestamp) -> Result<bool, StoreError> {
        let change = key(keys::changes(org), keys::change(number));
        let change: Option<RecordedChange> = read(&self.0.client, &self.0.assets, change).await?;
        Ok(change.is_some_and(|change| change.expires_at() > now))
    }
}
