//! All of an asset but its body, as one item.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;

use super::bodies::Packed;
use super::error::StoreError;
use super::item::{Attribute, Item, NewItem, Stored, attribute, stored};
use super::keys;
use super::purchase::Purchase;
use super::tables::{BY_LIBRARY, BY_STATE, CUSTOMER_SCENARIO_NAME, NAME};
use crate::{AssetId, AssetState, CustomerScenarioDigest, Family, FoldedName};

/// An asset without its body.
#[derive(Clone, Debug)]
pub struct Head {
    pub id: AssetId,
    pub state: AssetState,
    /// Counts the asset's changes, from 1: its `version`, and its entity tag.
    pub version: u64,
    pub created_at: Timestamp,
    /// When it or its state last changed.
    pub updated_at: Timestamp,
    /// When its last measures were pulled.
    pub last_measured_at: Option<Timestamp>,
    /// What was paid for the measurement that is under way.
    pub purchase: Option<Purchase>,
    /// What of its body lists find it by.
    pub(super) indexed: IndexedMembers,
    /// How many of the body's ids the release did not have when it was written.
    pub unknown_ids: usize,
    /// The body's size as escaped JSON.
    pub(super) escaped_bytes: usize,
    /// Where the body is.
    pub(super) body: BodyAt,
}

/// The members of a body by which lists find its asset, as they are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedMembers {
    /// `None` of an asset that was last edited before lists found any by it.
    pub customer_scenario: Option<CustomerScenarioDigest>,
    /// The scenario's own name.
    pub name: Option<FoldedName>,
    /// Its customer's name of it.
    pub customer_scenario_name: Option<FoldedName>,
}

/// Where a body is.
#[derive(Clone, Debug)]
pub(super) enum BodyAt {
    /// In the head, compressed.
    Inline(Vec<u8>),
    /// In so many parts beside the head, each marked with the version at which they were written.
    Chunks { count: usize, version: u64 },
}

impl BodyAt {
    /// Says where a packed body goes at a version.
    pub(super) fn of(packed: &Packed, version: u64) -> Self {
        match packed.chunks().len() {
            0 => Self::Inline(packed.compressed.clone()),
            count => Self::Chunks { count, version },
        }
    }

    /// Returns the number of parts beside the head.
    pub(super) fn chunks(&self) -> usize {
        match self {
            Self::Inline(_) => 0,
            Self::Chunks { count, .. } => *count,
        }
    }
}

stored!(Head {
    state: "state",
    version: "version",
    created_at: "created",
    updated_at: "updated",
    last_measured_at: "measured",
    purchase: "purchase",
    unknown_ids: "unknown" in Count,
    escaped_bytes: "escaped",
} with indexed, body; key id);

stored!(IndexedMembers {
    customer_scenario: "customer_scenario",
    name: NAME,
    customer_scenario_name: CUSTOMER_SCENARIO_NAME,
});

/// A number that is absent where it is 0.
struct Count(usize);

impl Attribute for Count {
    fn write(&self) -> Option<AttributeValue> {
        Some(self.0).filter(|count| *count > 0)?.write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        usize::read(value).map(Self)
    }

    fn absent() -> Option<Self> {
        Some(Self(0))
    }
}

impl Stored for BodyAt {
    fn store(&self, item: NewItem) -> NewItem {
        match self {
            Self::Inline(bytes) => item.with("body", bytes),
            Self::Chunks { count, version } => item.with("chunks", count).with("body_version", version),
        }
    }

    fn load(item: &Item) -> Result<Self, StoreError> {
        Ok(match attribute(item, "body")? {
            Some(bytes) => Self::Inline(bytes),
            None => {
                Self::Chunks { count: attribute(item, "chunks")?, version: attribute(item, "body_version")? }
            }
        })
    }
}

/// Writes a head.
pub(super) fn encode(family: Family, org: &OrgId, head: &Head) -> Item {
    let library = keys::library(family, org);
    NewItem::of_key(&library, keys::asset(head.id))
        .with(BY_STATE, &keys::by_state(family, org, head.state))
        .with(BY_LIBRARY, &library)
        .with_all(head)
        .build()
}
