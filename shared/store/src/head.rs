//! All of an asset but its body, as one item.

use accounting::{OrgId, Timestamp};

use super::bodies::{Packed, PackedBytes};
use super::error::StoreError;
use super::item::{Attributes, Item, NewItem, binary, number};
use super::keys;
use super::purchase::Purchase;
use super::tables::{BY_LIBRARY, BY_STATE, CUSTOMER_SCENARIO_NAME, NAME};
use crate::{AssetId, AssetState, CustomerScenarioDigest, Family, FoldedName};

/// The attribute of the digest of a `customer_scenario_id`.
const CUSTOMER_SCENARIO: &str = "customer_scenario";

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
        match &packed.bytes {
            PackedBytes::Inline(bytes) => Self::Inline(bytes.clone()),
            PackedBytes::Chunks(chunks) => Self::Chunks { count: chunks.len(), version },
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

/// Writes a head.
pub(super) fn encode(family: Family, org: &OrgId, head: &Head) -> Item {
    let Head { id, state, version, created_at, updated_at, last_measured_at, purchase, .. } = head;
    let Head { indexed, unknown_ids, escaped_bytes, body, .. } = head;
    let IndexedMembers { customer_scenario, name, customer_scenario_name } = indexed;
    let item = NewItem::of_key(keys::library(family, org), keys::asset(*id))
        .text(BY_STATE, keys::by_state(family, org, *state))
        .text(BY_LIBRARY, keys::library(family, org))
        .text("state", state)
        .number("version", version)
        .moment("created", *created_at)
        .moment("updated", *updated_at)
        .optional_moment("measured", *last_measured_at)
        .with_some("purchase", purchase.as_ref().map(Purchase::encode))
        .optional_text(CUSTOMER_SCENARIO, customer_scenario.as_ref().map(CustomerScenarioDigest::as_str))
        .optional_text(NAME, name.as_ref().map(FoldedName::as_str))
        .optional_text(CUSTOMER_SCENARIO_NAME, customer_scenario_name.as_ref().map(FoldedName::as_str))
        .with_some("unknown", (*unknown_ids > 0).then(|| number(unknown_ids)))
        .number("escaped", escaped_bytes);
    let item = match body {
        BodyAt::Inline(bytes) => item.with("body", binary(bytes.clone())),
        BodyAt::Chunks { count, version } => item.number("chunks", count).number("body_version", version),
    };
    item.build()
}

/// Reads a head.
pub(super) fn decode(item: &Item) -> Result<Head, StoreError> {
    let attributes = Attributes(item);
    let body = match attributes.optional_binary("body")? {
        Some(bytes) => BodyAt::Inline(bytes.to_vec()),
        None => BodyAt::Chunks {
            count: attributes.number("chunks")?,
            version: attributes.number("body_version")?,
        },
    };
    Ok(Head {
        id: decode_id(item)?,
        state: attributes.parsed("state")?,
        version: attributes.number("version")?,
        created_at: attributes.moment("created")?,
        updated_at: attributes.moment("updated")?,
        last_measured_at: attributes.optional_moment("measured")?,
        purchase: item.get("purchase").map(Purchase::decode).transpose()?,
        indexed: decode_indexed(attributes)?,
        unknown_ids: attributes.optional_number("unknown")?.unwrap_or(0),
        escaped_bytes: attributes.number("escaped")?,
        body,
    })
}

fn decode_indexed(attributes: Attributes<'_>) -> Result<IndexedMembers, StoreError> {
    let name = |attribute| attributes.optional_text(attribute).map(|name| name.map(FoldedName::cut));
    Ok(IndexedMembers {
        customer_scenario: attributes.optional_parsed(CUSTOMER_SCENARIO)?,
        name: name(NAME)?,
        customer_scenario_name: name(CUSTOMER_SCENARIO_NAME)?,
    })
}

/// Reads the asset's id from a head's sort key.
pub(super) fn decode_id(item: &Item) -> Result<AssetId, StoreError> {
    let id = Attributes(item).text("sk")?.strip_prefix(keys::ASSET).and_then(|id| id.parse().ok());
    id.ok_or(StoreError::Corrupt("sk"))
}
