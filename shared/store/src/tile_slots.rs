//! Slots for live tile grants, which bound how many an organization has.
//!
//! A grant takes a slot when it is minted, in the same transaction, and gives it back when it is revoked.
//! Nothing is written when it expires: the slot says when it is free.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{NewItem, attribute, end_of_sort_key, key, moment, number, text};
use super::keys;
use super::query::query_all;
use crate::{MAX_LIVE_TILE_GRANTS, TileGrant};

/// A slot that a live grant has.
pub(super) struct TakenSlot {
    number: usize,
    /// The grant's sort key in its organization's list.
    pub(super) grant: String,
}

/// Reads the slots of an organization that live grants have.
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

/// Picks one of the slots that are free, at random, so that those who mint at once seldom pick the same;
/// `None` when there is none.
pub(super) fn free_slot(dynamo: &Dynamo, taken: &[TakenSlot]) -> Option<usize> {
    let is_free = |number: &usize| taken.iter().all(|slot| slot.number != *number);
    let free: Vec<_> = (0..MAX_LIVE_TILE_GRANTS).filter(is_free).collect();
    let picked = dynamo.random.below(free.len().max(1) as u64) as usize;
    free.get(picked).copied()
}

/// Makes the write by which a new grant takes a slot, unless another one has taken it since.
pub(super) fn take_slot(dynamo: &Dynamo, slot: usize, grant: &TileGrant, in_list: &str) -> TransactWriteItem {
    let TileGrant { org, created_at, expires_at, .. } = grant;
    let item = NewItem::of_key(keys::tile_grants(org), keys::tile_slot(slot))
        .with("grant", &in_list.to_owned())
        .with("expires", expires_at)
        // Past the expiry by less than a second.
        .time_to_live(expires_at.plus_seconds(1));
    let mut expression = Expression::default();
    let (expires, now) = (expression.name("expires"), expression.value(moment(*created_at)));
    expression.require(format!("attribute_not_exists(pk) OR {expires} <= {now}"));
    expression.into_put(&dynamo.credentials, item.build())
}

/// Makes the write by which a grant gives its slot back.
pub(super) fn give_back_slot(dynamo: &Dynamo, slot: usize, org: &OrgId, in_list: &str) -> TransactWriteItem {
    let mut expression = Expression::default();
    expression.set("expires", number(0));
    expression.require_equal("grant", text(in_list));
    expression.into_write(&dynamo.credentials, key(keys::tile_grants(org), keys::tile_slot(slot)))
}
