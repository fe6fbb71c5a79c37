//! What measurement products send.

use accounting::{BillingName, Credits, OrgId, Timestamp, UnknownName};
use serde::{Deserialize, Deserializer, Serialize};
use store::{AssetId, EventId, Family};
use strum::{Display, EnumIter, EnumString};

/// What happened to an asset's measurement. It has nothing to do with the family of event scenarios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasurementEvent {
    /// The sender's id of the event; each is applied once.
    pub event_id: EventId,
    /// The organization that owns the asset.
    pub org_id: OrgId,
    pub family: Family,
    pub asset_id: AssetId,
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened.
    #[serde(deserialize_with = "parsed_timestamp")]
    pub occurred_at: Timestamp,
    /// What was bought, on `purchased` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase: Option<PurchaseOrder>,
}

/// What can happen to an asset's measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<EventType>)]
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

/// What was bought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurchaseOrder {
    /// The measurement product's number of the purchase.
    pub purchase_id: String,
    /// What it is billed as: one of the names that the operator lists.
    pub product: BillingName,
    /// Its price.
    pub credits: Credits,
}

fn parsed_timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let wrong = || serde::de::Error::custom("occurred_at must be an RFC 3339 date-time with an offset");
    Timestamp::parse(&String::deserialize(deserializer)?).ok_or_else(wrong)
}
