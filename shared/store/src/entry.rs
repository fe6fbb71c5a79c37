//! IDs of ledger entries, which ensure that an entry is posted at most once.
use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use ring::digest::{SHA256, digest};

use super::item::Attribute;
use crate::{EventId, RequestId};

/// The number of slots for the IDs of recent entries. With 44 slots, the largest account stays below two
/// write units.
const SLOTS: u8 = 44;

/// The ID of an entry: the first six bytes of a digest of its purpose and its request or event. Six bytes are
/// enough to tell the entries in a slot apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryId([u8; 6]);

/// The IDs of an account's recent entries. Each slot contains the latest entry that maps to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentEntries(BTreeMap<u8, EntryId>);

impl EntryId {
    /// Returns the ID of the entry that charges a call.
    pub fn charge(request: RequestId) -> Self {
        Self::of(&[b"charge", request.as_bytes()])
    }

    /// Returns the ID of the entry that refunds a call.
    pub fn refund(request: RequestId) -> Self {
        Self::of(&[b"refund", request.as_bytes()])
    }

    /// Returns the ID of the entry for a measurement event's charge or refund.
    pub fn event(id: &EventId) -> Self {
        Self::of(&[b"event", id.to_string().as_bytes()])
    }

    /// Returns the ID's slot among the recent entries.
    pub fn slot(self) -> u8 {
        self.0[0] % SLOTS
    }

    /// Parses a stored ID. Returns `None` if it doesn't have exactly six bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    fn of(parts: &[&[u8]]) -> Self {
        let digest = digest(&SHA256, &parts.concat());
        Self(*digest.as_ref().first_chunk().expect("a SHA-256 digest has 32 bytes"))
    }
}

impl RecentEntries {
    /// Returns the entry in the slot for `id`, which may be another entry, or `None` if the slot is empty.
    pub fn in_slot_of(&self, id: EntryId) -> Option<EntryId> {
        self.0.get(&id.slot()).copied()
    }

    pub(super) fn add(&mut self, id: EntryId) {
        self.0.insert(id.slot(), id);
    }

    /// Iterates over the IDs, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = EntryId> {
        self.0.values().copied()
    }
}

impl Attribute for EntryId {
    fn write(&self) -> Option<AttributeValue> {
        self.0.to_vec().write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        Self::from_bytes(value.as_b().ok()?.as_ref())
    }
}

impl Attribute for RecentEntries {
    fn write(&self) -> Option<AttributeValue> {
        self.0.write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        BTreeMap::read(value).map(Self)
    }
}
