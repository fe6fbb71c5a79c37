//! The events that a measurement product sends.

use accounting::{Credits, Meter, OrgId, Timestamp, UnknownName};
use serde::{Deserialize, Deserializer, Serialize};
use store::{AssetId, EventId, Family};
use strum::{Display, EnumIter, EnumString};

/// An event about the measurement of an asset. Unrelated to the `event` family of scenarios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasurementEvent {
    /// The ID that the sender assigned to the event. Each event is applied only once.
    pub event_id: EventId,
    /// The organization that owns the asset.
    pub org_id: OrgId,
    pub family: Family,
    pub asset_id: AssetId,
    /// The kind of change that the event reports.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The time when the event occurred.
    #[serde(deserialize_with = "parsed_timestamp")]
    pub occurred_at: Timestamp,
    /// The purchase. Required for `purchased` events, and not allowed for other types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase: Option<PurchaseOrder>,
}

/// The types of measurement events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(
    serialize_all = "snake_case",
    parse_err_ty = UnknownName,
    parse_err_fn = UnknownName::among::<EventType>
)]
pub enum EventType {
    /// A measurement was purchased.
    Purchased,
    /// The active period of the campaign or event has started.
    Started,
    /// Preliminary results are available.
    Measured,
    /// All results are final.
    Completed,
    /// The measurement failed.
    Failed,
}

/// The purchase of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurchaseOrder {
    /// The ID that the sender assigned to the purchase.
    pub purchase_id: String,
    /// The meter that records the charge. An administrator lists the allowed names.
    pub product: Meter,
    /// The price in credits.
    pub credits: Credits,
    /// Whether this service measures the asset itself. Never part of a message.
    #[serde(skip)]
    pub is_own: bool,
}

fn parsed_timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let wrong = "occurred_at must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00";
    Timestamp::parse(&String::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom(wrong))
}
