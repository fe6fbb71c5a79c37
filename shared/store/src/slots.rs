//! Slots that limit the number of active tile grants and client links per organization.
//!
//! The transaction that creates a grant or link takes a slot in its organization's partition, and the
//! transaction that revokes it releases the slot. Expiry needs no write, because the slot contains the expiry
//! date.

use accounting::Timestamp;
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, attribute, end_of_sort_key, key, moment, number, text};
use super::keys;
use super::query::query_all;

/// A slot taken by an active grant or link.
pub(super) struct TakenSlot {
    pub(super) number: usize,
    pub(super) item: Item,
}

/// Reads the slots in a partition that are taken by active grants or links. Slots whose grant or link has
/// expired are free.
pub(super) async fn taken_slots(
    dynamo: &Dynamo,
    partition: &str,
    now: Timestamp,
) -> Result<Vec<TakenSlot>, StoreError> {
    let Dynamo { client, credentials, .. } = dynamo;
    let mut taken = Vec::new();
    for item in query_all(client, credentials, partition, keys::SLOTS).await? {
        if attribute::<Timestamp>(&item, "expires")? > now {
            taken.push(TakenSlot { number: end_of_sort_key(&item)?, item });
        }
    }
    Ok(taken)
}

/// Picks a random free slot with a number below `limit`. Because the choice is random, simultaneous requests
/// rarely pick the same slot. Returns `None` if all slots are taken.
pub(super) fn free_slot(dynamo: &Dynamo, taken: &[TakenSlot], limit: usize) -> Option<usize> {
    let is_free = |number: &usize| taken.iter().all(|slot| slot.number != *number);
    let free: Vec<_> = (0..limit).filter(is_free).collect();
    let picked = dynamo.random.below(free.len().max(1) as u64) as usize;
    free.get(picked).copied()
}

/// Returns the write that takes a slot until it expires. `item` must have the slot's key. The write fails if
/// another grant or link has taken the slot in the meantime.
pub(super) fn take_slot(
    dynamo: &Dynamo,
    item: NewItem,
    now: Timestamp,
    expires_at: Timestamp,
) -> TransactWriteItem {
    // The time to live is in whole seconds, so it's rounded up.
    let item = item.with("expires", &expires_at).time_to_live(expires_at.plus_seconds(1));
    let mut expression = Expression::default();
    let (expires, now) = (expression.name("expires"), expression.value(moment(now)));
    expression.require(format!("attribute_not_exists(pk) OR {expires} <= {now}"));
    expression.into_put(&dynamo.credentials, item.build())
}

/// Returns the write that releases the slot of a grant or link. The write fails if the slot belongs to a
/// different grant or link.
pub(super) fn release_slot(
    dynamo: &Dynamo,
    slot: usize,
    partition: &str,
    in_list: &str,
) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.set("expires", number(0));
    expression.require_equal("grant", text(in_list));
    expression.into_write(&dynamo.credentials, key(partition, keys::slot(slot)))
}
