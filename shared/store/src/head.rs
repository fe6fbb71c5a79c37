//! An asset's head: its main item, which contains everything except a large body.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;

use super::bodies::Packed;
use super::error::StoreError;
use super::item::{Attribute, Item, NewItem, Stored, attribute, stored};
use super::keys;
use super::purchase::Purchase;
use super::tables::{BY_LIBRARY, BY_STATE, CUSTOMER_SCENARIO_NAME, NAME};
use crate::{AssetId, AssetState, CustomerDigest, CustomerScenarioDigest, Family, NormalizedName};

/// An asset without its body.
#[derive(Clone, Debug)]
pub struct Head {
    pub id: AssetId,
    pub state: AssetState,
    /// The asset's version, starting at 1. It's returned as `version` and as the entity tag.
    pub version: u64,
    pub created_at: Timestamp,
    /// When the asset or its state last changed.
    pub updated_at: Timestamp,
    /// When the measurement's results were last updated, or `None` if there are no results yet.
    pub last_measured_at: Option<Timestamp>,
    /// The purchase of the current measurement. `None` before a purchase, and after the purchase is
    /// refunded or final.
    pub purchase: Option<Purchase>,
    /// The members of the body that lists can be filtered by.
    pub(super) indexed: IndexedMembers,
    /// The number of IDs in the body that the data release didn't contain when the asset was last written.
    pub unknown_ids: usize,
    /// The body's size as escaped JSON, in bytes.
    pub(super) escaped_bytes: usize,
    /// Where the body is stored.
    pub(super) body: BodyAt,
}

/// The members of an asset's body that lists can be filtered by, normalized for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedMembers {
    /// The digest of the asset's `customer_scenario_id`. `None` if the asset was last edited before lists
    /// could be filtered by this ID.
    pub customer_scenario: Option<CustomerScenarioDigest>,
    /// The digest of the asset's `customer_id`. `None` if the asset was last edited before lists could be
    /// filtered by this ID.
    pub customer: Option<CustomerDigest>,
    /// The scenario's name.
    pub name: Option<NormalizedName>,
    /// The customer's name for the scenario.
    pub customer_scenario_name: Option<NormalizedName>,
}

/// Where an asset's body is stored.
#[derive(Clone, Debug)]
pub(super) enum BodyAt {
    /// In the asset's main item, compressed.
    Inline(Vec<u8>),
    /// In `count` separate items, each marked with the asset version that wrote it.
    Chunks { count: usize, version: u64 },
}

impl BodyAt {
    /// Returns where to store a compressed body for the given version of its asset.
    pub(super) fn of(packed: &Packed, version: u64) -> Self {
        match packed.chunks().len() {
            0 => Self::Inline(packed.compressed.clone()),
            count => Self::Chunks { count, version },
        }
    }

    /// Returns the number of parts that are stored as separate items.
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
    customer: "customer",
    name: NAME,
    customer_scenario_name: CUSTOMER_SCENARIO_NAME,
});

/// A number whose attribute is omitted if it's 0.
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

/// Returns the item for an asset's head.
pub(super) fn encode(family: Family, org: &OrgId, head: &Head) -> Item {
    let library = keys::library(family, org);
    NewItem::of_key(&library, keys::asset(head.id))
        .with(BY_STATE, &keys::by_state(family, org, head.state))
        .with(BY_LIBRARY, &library)
        .with_all(head)
        .build()
}
