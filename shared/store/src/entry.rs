//! The identity of an entry in an account's ledger, by which it is posted at most once.
use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use ring::digest::{SHA256, digest};

use super::item::Attribute;
use crate::{EventId, RequestId};

/// The places that an account has for the ids of recent entries. They keep the fullest account under two write
/// units.
const SLOTS: u8 = 44;

/// The identity of one entry: the first bytes of a digest of what it is for. Six bytes tell the entries of a
/// slot apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryId([u8; 6]);

/// The ids of an account's recent entries. Each slot has the latest entry whose id belongs there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentEntries(BTreeMap<u8, EntryId>);

impl EntryId {
    /// Names the charge of a call.
    pub fn charge(request: RequestId) -> Self {
        Self::of(&[b"charge", request.as_bytes()])
    }

    /// Names the refund of a call.
    pub fn refund(request: RequestId) -> Self {
        Self::of(&[b"refund", request.as_bytes()])
    }

    /// Names what a measurement event does to an account.
    pub fn event(id: &EventId) -> Self {
        Self::of(&[b"event", id.to_string().as_bytes()])
    }

    /// Returns its place among the recent entries.
    pub fn slot(self) -> u8 {
        self.0[0] % SLOTS
    }

    /// Reads an id as it is stored.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    fn of(parts: &[&[u8]]) -> Self {
        let digest = digest(&SHA256, &parts.concat());
        Self(*digest.as_ref().first_chunk().expect("a digest has 32 bytes"))
    }
}

impl RecentEntries {
    /// Returns the entry in the slot of `id`: the same one, another that belongs there, or none yet.
    pub fn in_slot_of(&self, id: EntryId) -> Option<EntryId> {
        self.0.get(&id.slot()).copied()
    }

    pub(super) fn add(&mut self, id: EntryId) {
        self.0.insert(id.slot(), id);
    }

    /// Iterates over the entries.
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
