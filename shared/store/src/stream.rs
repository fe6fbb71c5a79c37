//! Interprets the writes that the tables' DynamoDB streams report.
//!
//! Lambda functions receive stream records as JSON, in the format that is described at
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>.

use std::collections::HashMap;

use accounting::{Credits, OrgId, Timestamp};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

use super::error::StoreError;
use super::head::Head;
use super::item::{Item, Stored, attribute};
use super::keys;
use super::low_credits::LowCredits;
use crate::{AssetId, AssetState, Delivery, Family, Key, RecordedChange, WebhookId};

/// The sort key prefixes of the writes that functions receive from the streams of the accounts, credentials,
/// and assets tables. The filters in template.yaml contain the same prefixes.
pub const STREAM_SORT_KEY_PREFIXES: [&[&str]; 3] =
    [&[keys::CREDITS_LOW], &[keys::KEY_LIST], &[keys::ASSET, keys::CHANGE, keys::DELIVERY]];

/// A write that a stream reported.
#[derive(Clone, Debug, Deserialize)]
pub struct StreamRecord {
    /// Unique among all records.
    #[serde(rename = "eventID")]
    id: String,
    dynamodb: Images,
}

/// An event for the changes function, derived from a stream record.
#[derive(Clone, Debug)]
pub enum StreamEvent {
    /// An organization's data has changed.
    Changed(Observed),
    /// A change was recorded.
    Recorded(OrgId, RecordedChange),
    /// A delivery was requested, for the first time or again.
    DeliveryRequested { org: OrgId, webhook: WebhookId, delivery: Delivery },
    /// The write requires no action, for example because it only stored a delivery's result.
    Nothing,
}

/// A change to an organization's data.
#[derive(Clone, Debug)]
pub struct Observed {
    pub org: OrgId,
    pub details: ChangeDetails,
    /// When the write was committed.
    pub at: Timestamp,
    /// The stream record's ID, which stays the same if the stream redelivers the record.
    pub(super) record: String,
}

/// The kind of change, with its details.
#[derive(Clone, Debug)]
pub enum ChangeDetails {
    Asset {
        family: Family,
        id: AssetId,
        /// The asset's version. For a deleted asset, this is its last version.
        version: u64,
        /// The state before the change, or `None` if the asset was created.
        before: Option<AssetState>,
        /// The state after the change, or `None` if the asset was deleted.
        after: Option<AssetState>,
    },
    KeyCreated(Key),
    KeyRevoked(Key),
    CreditsLow {
        percent_left: u64,
        balance: Credits,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Images {
    keys: HashMap<String, Value>,
    new_image: Option<HashMap<String, Value>>,
    old_image: Option<HashMap<String, Value>>,
    /// In seconds since the Unix epoch.
    approximate_creation_date_time: f64,
}

/// An attribute's value in a stream record. Sets and nulls are missing because the service doesn't store
/// them.
#[derive(Clone, Debug, Deserialize)]
enum Value {
    S(String),
    N(String),
    /// In Base64.
    B(String),
    #[serde(rename = "BOOL")]
    Bool(bool),
    M(HashMap<String, Value>),
    L(Vec<Value>),
}

impl StreamRecord {
    /// Derives the event from the record.
    ///
    /// # Errors
    ///
    /// Returns an error if an item can't be read.
    pub fn event(&self) -> Result<StreamEvent, StoreError> {
        let Images { keys: item_key, new_image, old_image, .. } = &self.dynamodb;
        let item_key = item(item_key)?;
        let (pk, sk): (String, String) = (attribute(&item_key, "pk")?, attribute(&item_key, "sk")?);
        let before = old_image.as_ref().map(item).transpose()?;
        let after = new_image.as_ref().map(item).transpose()?;
        let (before, after) = (before.as_ref(), after.as_ref());
        let (kind, id) = pk.split_once('#').ok_or(StoreError::Corrupt("pk"))?;
        let org = |text: &str| text.parse::<OrgId>().map_err(|_| StoreError::Corrupt("pk"));
        match sk {
            sk if sk.starts_with(keys::ASSET) => {
                let family = kind.parse().map_err(|_| StoreError::Corrupt("pk"))?;
                Ok(self.observed(org(id)?, asset_change(family, before, after)?))
            }
            sk if sk.starts_with(keys::KEY_LIST) => Ok(self.observed(org(id)?, key_change(before, after)?)),
            sk if sk == keys::CREDITS_LOW => {
                let low = after.map(LowCredits::load).transpose()?;
                let low = low.map(|low| ChangeDetails::CreditsLow {
                    percent_left: low.percent_left,
                    balance: low.balance,
                });
                Ok(self.observed(org(id)?, low))
            }
            sk if sk.starts_with(keys::CHANGE) => match (before, after) {
                (None, Some(after)) => Ok(StreamEvent::Recorded(org(id)?, RecordedChange::load(after)?)),
                _ => Ok(StreamEvent::Nothing),
            },
            sk if sk.starts_with(keys::DELIVERY) => {
                let (id, webhook) = id.rsplit_once('#').ok_or(StoreError::Corrupt("pk"))?;
                let webhook = webhook.parse().map_err(|_| StoreError::Corrupt("pk"))?;
                delivery_requested(org(id)?, webhook, before, after)
            }
            _ => Ok(StreamEvent::Nothing),
        }
    }

    fn observed(&self, org: OrgId, details: Option<ChangeDetails>) -> StreamEvent {
        let Some(details) = details else { return StreamEvent::Nothing };
        let millis = self.dynamodb.approximate_creation_date_time * 1000.0;
        StreamEvent::Changed(Observed {
            org,
            details,
            at: Timestamp::from_unix_millis(millis.round() as i64),
            record: self.id.clone(),
        })
    }
}

fn asset_change(
    family: Family,
    before: Option<&Item>,
    after: Option<&Item>,
) -> Result<Option<ChangeDetails>, StoreError> {
    let before = before.map(Head::load).transpose()?;
    let after = after.map(Head::load).transpose()?;
    let Some(Head { id, version, .. }) = after.as_ref().or(before.as_ref()) else { return Ok(None) };
    let state = |head: &Option<Head>| head.as_ref().map(|head| head.state);
    let (id, version) = (*id, *version);
    Ok(Some(ChangeDetails::Asset { family, id, version, before: state(&before), after: state(&after) }))
}

fn key_change(before: Option<&Item>, after: Option<&Item>) -> Result<Option<ChangeDetails>, StoreError> {
    let before = before.map(Key::load).transpose()?;
    let after = after.map(Key::load).transpose()?;
    Ok(match (before, after) {
        (None, Some(key)) => Some(ChangeDetails::KeyCreated(key)),
        (Some(before), Some(key)) if before.revoked_at.is_none() && key.revoked_at.is_some() => {
            Some(ChangeDetails::KeyRevoked(key))
        }
        // Other writes don't count as changes, for example the deletion of a key that ended long ago.
        _ => None,
    })
}

fn delivery_requested(
    org: OrgId,
    webhook: WebhookId,
    before: Option<&Item>,
    after: Option<&Item>,
) -> Result<StreamEvent, StoreError> {
    let before = before.map(Delivery::load).transpose()?;
    let Some(delivery) = after.map(Delivery::load).transpose()? else { return Ok(StreamEvent::Nothing) };
    if before.is_some_and(|before| before.requests == delivery.requests) {
        return Ok(StreamEvent::Nothing);
    }
    Ok(StreamEvent::DeliveryRequested { org, webhook, delivery })
}

fn item(image: &HashMap<String, Value>) -> Result<Item, StoreError> {
    image.iter().map(|(name, value)| Ok((name.clone(), value.to_attribute()?))).collect()
}

impl Value {
    fn to_attribute(&self) -> Result<AttributeValue, StoreError> {
        Ok(match self {
            Self::S(text) => AttributeValue::S(text.clone()),
            Self::N(number) => AttributeValue::N(number.clone()),
            Self::B(text) => {
                let bytes = BASE64_STANDARD.decode(text).map_err(|_| StoreError::Corrupt("B"))?;
                AttributeValue::B(Blob::new(bytes))
            }
            Self::Bool(value) => AttributeValue::Bool(*value),
            Self::M(map) => AttributeValue::M(item(map)?),
            Self::L(list) => {
                AttributeValue::L(list.iter().map(Self::to_attribute).collect::<Result<_, _>>()?)
            }
        })
    }
}
