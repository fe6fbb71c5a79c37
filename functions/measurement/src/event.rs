use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shared::types::{AssetId, BillingName, Credits, EventId, Family, InvalidId, OrgId, Timestamp};

/// What happened to an asset's measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The sender's number of the event; each is applied once.
    pub event_id: EventId,
    /// The organization that owns the asset.
    pub org_id: OrgId,
    /// The asset's family.
    pub family: Family,
    /// The asset.
    #[serde(serialize_with = "shown", deserialize_with = "parsed_asset_id")]
    pub asset_id: AssetId,
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened.
    #[serde(serialize_with = "shown", deserialize_with = "parsed_timestamp")]
    pub occurred_at: Timestamp,
    /// What was bought, on `purchased` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase: Option<PurchaseOrder>,
}

/// What can happen to an asset's measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventType {
    /// A measurement was bought.
    Purchased,
    /// The active period began.
    Started,
    /// Measures were pulled; they are not final.
    Measured,
    /// Every measure is final.
    Completed,
    /// The measurement met a problem.
    Failed,
}

impl EventType {
    /// Every type, in the order of a measurement's life.
    pub const ALL: [Self; 5] = [Self::Purchased, Self::Started, Self::Measured, Self::Completed, Self::Failed];
}

impl FromStr for EventType {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let named = Self::ALL.into_iter().find(|event_type| event_type.to_string() == text);
        named.ok_or(InvalidId("must be purchased, started, measured, completed or failed"))
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Purchased => "purchased",
            Self::Started => "started",
            Self::Measured => "measured",
            Self::Completed => "completed",
            Self::Failed => "failed",
        })
    }
}

/// What was bought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurchaseOrder {
    /// The measurement product's number of the purchase.
    pub purchase_id: String,
    /// What it is billed as.
    pub product: BillingName,
    /// Its price.
    pub credits: Credits,
}

fn shown<T: ToString, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

fn parsed_asset_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AssetId, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

fn parsed_timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    Timestamp::parse(&String::deserialize(deserializer)?)
        .ok_or_else(|| D::Error::custom("occurred_at must be an RFC 3339 date-time with its offset"))
}
