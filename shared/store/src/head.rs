//! All of an asset but its body, as one item.

use accounting::{OrgId, Timestamp};

use super::bodies::{Packed, PackedBytes};
use super::error::StoreError;
use super::item::{Attributes, Item, binary, key, number, text};
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
    let mut item = key(keys::library(family, org), keys::asset(*id));
    let attributes = [
        (BY_STATE, text(keys::by_state(family, org, *state))),
        (BY_LIBRARY, text(keys::library(family, org))),
        ("state", text(state.as_str())),
        ("version", number(version)),
        ("created", number(created_at.unix_millis())),
        ("updated", number(updated_at.unix_millis())),
        ("escaped", number(escaped_bytes)),
    ];
    item.extend(attributes.map(|(name, value)| (name.to_owned(), value)));
    let IndexedMembers { customer_scenario, name, customer_scenario_name } = indexed;
    let names = [(NAME, name), (CUSTOMER_SCENARIO_NAME, customer_scenario_name)];
    let names = names.into_iter().filter_map(|(attribute, name)| Some((attribute, name.as_ref()?.as_str())));
    let digest = customer_scenario.iter().map(|digest| (CUSTOMER_SCENARIO, digest.as_str()));
    item.extend(names.chain(digest).map(|(attribute, value)| (attribute.to_owned(), text(value))));
    item.extend(last_measured_at.map(|at| ("measured".to_owned(), number(at.unix_millis()))));
    item.extend(purchase.as_ref().map(|purchase| ("purchase".to_owned(), purchase.encode())));
    item.extend((*unknown_ids > 0).then(|| ("unknown".to_owned(), number(unknown_ids))));
    match body {
        BodyAt::Inline(bytes) => item.extend([("body".to_owned(), binary(bytes.clone()))]),
        BodyAt::Chunks { count, version } => {
            item.extend([("chunks".to_owned(), number(count)), ("body_version".to_owned(), number(version))])
        }
    }
    item
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
        created_at: Timestamp::from_unix_millis(attributes.number("created")?),
        updated_at: Timestamp::from_unix_millis(attributes.number("updated")?),
        last_measured_at: attributes.optional_number("measured")?.map(Timestamp::from_unix_millis),
        purchase: item.get("purchase").map(Purchase::decode).transpose()?,
        indexed: decode_indexed(attributes)?,
        unknown_ids: attributes.optional_number("unknown")?.unwrap_or(0),
        escaped_bytes: attributes.number("escaped")?,
        body,
    })
}

fn decode_indexed(attributes: Attributes<'_>) -> Result<IndexedMembers, StoreError> {
    let name = |attribute| attributes.optional_text(attribute).map(|name| name.map(FoldedName::cut));
    let digest = attributes.optional_text(CUSTOMER_SCENARIO)?;
    let digest = digest.map(|digest| digest.parse().map_err(|_| StoreError::Corrupt(CUSTOMER_SCENARIO)));
    Ok(IndexedMembers {
        customer_scenario: digest.transpose()?,
        name: name(NAME)?,
        customer_scenario_name: name(CUSTOMER_SCENARIO_NAME)?,
    })
}

/// Reads the asset's id from a head's sort key.
pub(super) fn decode_id(item: &Item) -> Result<AssetId, StoreError> {
    let id = Attributes(item).text("sk")?.strip_prefix(keys::ASSET).and_then(|id| id.parse().ok());
    id.ok_or(StoreError::Corrupt("sk"))
}
