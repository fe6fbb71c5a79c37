//! Slots that limit the number of live tile grants per organization.
//!
//! The transaction that creates a grant takes a slot, and the transaction that revokes the grant releases the
//! slot. When a grant expires, no write is needed, because the slot contains the expiry date.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{NewItem, attribute, end_of_sort_key, key, moment, number, text};
use super::keys;
use super::query::query_all;
use crate::{MAX_LIVE_TILE_GRANTS, TileGrant};

/// A slot taken by a live grant.
pub(super) struct TakenSlot {
    number: usize,
    /// The grant's sort key in its organization's list.
    pub(super) grant: String,
}

/// Reads the slots that live grants of an organization have taken.
pub(super) async fn taken_slots(
    dynamo: &Dynamo,
    org: &OrgId,
    now: Timestamp,
) -> Result<Vec<TakenSlot>, StoreError> {
    let Dynamo { client, credentials, .. } = dynamo;
    let mut taken = Vec::new();
    for item in query_all(client, credentials, &keys::tile_grants(org), keys::TILE_SLOTS).await? {
        if attribute::<Timestamp>(&item, "expires")? > now {
            taken.push(TakenSlot { number: end_of_sort_key(&item)?, grant: attribute(&item, "grant")? });
        }
    }
    Ok(taken)
}

/// Picks a free slot at random, so that simultaneous requests rarely pick the same slot. Returns `None` if
/// all slots are taken.
pub(super) fn free_slot(dynamo: &Dynamo, taken: &[TakenSlot]) -> Option<usize> {
    let is_free = |number: &usize| taken.iter().all(|slot| slot.number != *number);
    let free: Vec<_> = (0..MAX_LIVE_TILE_GRANTS).filter(is_free).collect();
    let picked = dynamo.random.below(free.len().max(1) as u64) as usize;
    free.get(picked).copied()
}

/// Returns the write that takes a slot for a new grant. The write fails if another grant has taken the slot
/// in the meantime.
pub(super) fn take_slot(dynamo: &Dynamo, slot: usize, grant: &TileGrant, in_list: &str) -> TransactWriteItem {
    let TileGrant { org, created_at, expires_at, .. } = grant;
    let item = NewItem::of_key(keys::tile_grants(org), keys::tile_slot(slot))
        .with("grant", &in_list.to_owned())
        .with("expires", expires_at)
        // The time to live is in whole seconds, so it's rounded up.
        .time_to_live(expires_at.plus_seconds(1));
    let mut expression = Expression::default();
    let (expires, now) = (expression.name("expires"), expression.value(moment(*created_at)));
    expression.require(format!("attribute_not_exists(pk) OR {expires} <= {now}"));
    expression.into_put(&dynamo.credentials, item.build())
}

/// Returns the write that releases a grant's slot. The write fails if the slot belongs to another grant.
pub(super) fn give_back_slot(dynamo: &Dynamo, slot: usize, org: &OrgId, in_list: &str) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.set("expires", number(0));
    expression.require_equal("grant", text(in_list));
    expression.into_write(&dynamo.credentials, key(keys::tile_grants(org), keys::tile_slot(slot)))
}
