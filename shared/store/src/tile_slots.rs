//! Slots for live tile grants, which bound how many an organization has.
//!
//! A grant takes a slot when it is minted, in the same transaction. Nothing is written when it expires or is
//! revoked: the slot says when its grant expires, and whether that one was revoked is looked up once no other
//! slot is free.

use std::collections::HashSet;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::{Put, TransactWriteItem};

use super::batch::batch_get;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::query::query_all;
use super::tile_grant_item::{TileGrant, decode_signed};
use crate::{MAX_LIVE_TILE_GRANTS, TileGrantDigest};

/// A slot that a new grant may take.
pub(super) struct FreeSlot {
    number: usize,
    /// The grant that took it last, and needs it no more.
    last: Option<TileGrantDigest>,
}

/// A slot that was taken at some time.
struct UsedSlot {
    number: usize,
    digest: TileGrantDigest,
    expires_at: Timestamp,
}

/// Finds a slot that no live grant of an organization has; `None` when there is none.
pub(super) async fn free_slot(
    dynamo: &Dynamo,
    org: &OrgId,
    now: Timestamp,
) -> Result<Option<FreeSlot>, StoreError> {
    let mut slots: Vec<Option<UsedSlot>> = (0..MAX_LIVE_TILE_GRANTS).map(|_| None).collect();
    for used in used_slots(dynamo, org).await? {
        let number = used.number;
        *slots.get_mut(number).ok_or(StoreError::Corrupt("sk"))? = Some(used);
    }
    let is_taken = |slot: &Option<UsedSlot>| slot.as_ref().is_some_and(|used| used.expires_at > now);
    if !slots.iter().all(is_taken) {
        return Ok(pick(dynamo, slots, |slot| !is_taken(slot)));
    }
    let unrevoked = unrevoked_among(dynamo, &slots).await?;
    let is_live = |used: &UsedSlot| unrevoked.contains(&keys::tile_grant(&used.digest));
    Ok(pick(dynamo, slots, |slot| !slot.as_ref().is_some_and(is_live)))
}

/// Reads the live grants of an organization, with their digests.
pub(super) async fn live_grants(
    dynamo: &Dynamo,
    org: &OrgId,
    now: Timestamp,
) -> Result<Vec<(TileGrantDigest, TileGrant)>, StoreError> {
    let mut slots = used_slots(dynamo, org).await?;
    slots.retain(|used| used.expires_at > now);
    let mut live = Vec::new();
    for item in grants_of(dynamo, slots.iter()).await? {
        let partition = Attributes(&item).text("pk")?;
        let slot = slots.iter().find(|used| keys::tile_grant(&used.digest) == partition);
        let digest = slot.ok_or(StoreError::Corrupt("pk"))?.digest.clone();
        live.push((digest, decode_signed(&item)?.grant));
    }
    live.retain(|(_, grant)| grant.is_live(now));
    Ok(live)
}

impl FreeSlot {
    /// Makes the write by which a grant takes the slot, unless another one has taken it since.
    pub(super) fn take(
        self,
        dynamo: &Dynamo,
        grant: &TileGrant,
        digest: &TileGrantDigest,
    ) -> TransactWriteItem {
        let TileGrant { org, expires_at, .. } = grant;
        let mut item = key(keys::tile_grants(org), keys::tile_slot(self.number));
        item.extend([
            ("digest".to_owned(), text(digest.as_str())),
            ("expires".to_owned(), number(expires_at.unix_millis())),
            // Past the expiry by less than a second.
            ("ttl".to_owned(), number(expires_at.unix_seconds() + 1)),
        ]);
        let put = Put::builder().table_name(&dynamo.credentials).set_item(Some(item));
        let put = match self.last {
            None => put.condition_expression("attribute_not_exists(pk)"),
            // The time to live may have removed it since.
            Some(last) => put
                .condition_expression("attribute_not_exists(pk) OR digest = :last")
                .expression_attribute_values(":last", text(last.as_str())),
        };
        TransactWriteItem::builder().put(put.build().expect("table and item are set")).build()
    }
}

/// Picks one of the slots that are free, at random, so that those who mint at once seldom pick the same.
fn pick(
    dynamo: &Dynamo,
    slots: Vec<Option<UsedSlot>>,
    is_free: impl Fn(&Option<UsedSlot>) -> bool,
) -> Option<FreeSlot> {
    let free = slots.into_iter().enumerate().filter(|(_, slot)| is_free(slot));
    let mut free: Vec<_> = free.map(|(number, slot)| (number, slot.map(|used| used.digest))).collect();
    if free.is_empty() {
        return None;
    }
    let picked = dynamo.random.below(free.len() as u64) as usize;
    let (number, last) = free.swap_remove(picked);
    Some(FreeSlot { number, last })
}

async fn used_slots(dynamo: &Dynamo, org: &OrgId) -> Result<Vec<UsedSlot>, StoreError> {
    let Dynamo { client, credentials, .. } = dynamo;
    let items = query_all(client, credentials, &keys::tile_grants(org), keys::TILE_SLOTS).await?;
    items.iter().map(decode).collect()
}

/// Returns the partitions of those grants that are not revoked; one that is forgotten is none of them.
async fn unrevoked_among(dynamo: &Dynamo, slots: &[Option<UsedSlot>]) -> Result<HashSet<String>, StoreError> {
    let grants = grants_of(dynamo, slots.iter().flatten()).await?;
    let unrevoked = grants.iter().filter(|grant| !grant.contains_key("revoked"));
    unrevoked.map(|grant| Ok(Attributes(grant).text("pk")?.to_owned())).collect()
}

/// Reads the grants that took slots; those that are forgotten are left out.
async fn grants_of(dynamo: &Dynamo, slots: impl Iterator<Item = &UsedSlot>) -> Result<Vec<Item>, StoreError> {
    let keys = slots.map(|used| key(keys::tile_grant(&used.digest), keys::TILE_GRANT));
    batch_get(dynamo, &dynamo.credentials, keys.collect()).await
}

fn decode(item: &Item) -> Result<UsedSlot, StoreError> {
    let attributes = Attributes(item);
    let number = attributes.text("sk")?.strip_prefix(keys::TILE_SLOTS);
    Ok(UsedSlot {
        number: number.and_then(|digits| digits.parse().ok()).ok_or(StoreError::Corrupt("sk"))?,
        digest: attributes.parsed("digest")?,
        expires_at: Timestamp::from_unix_millis(attributes.number("expires")?),
    })
}
