//! Assets as they are answered. A body is stored as the JSON that is answered, and goes from one to the other
//! unread.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use shared::dynamo::{self, StoreError};
use shared::http::ApiError;
use shared::types::{AssetId, AssetState, OrgId, Timestamp};

/// The members of an asset before those of its body.
#[derive(Serialize)]
struct Opening<'a> {
    asset_id: AssetId,
    org_id: &'a OrgId,
    state: AssetState,
    version: u64,
}

/// The members of an asset after those of its body.
#[derive(Serialize)]
struct Closing {
    last_measured_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Writes an asset: `CampaignAsset` and `EventAsset` in openapi.yaml.
///
/// # Errors
///
/// When what is stored is not an object of JSON.
pub(crate) fn answered(org: &OrgId, stored: dynamo::Asset) -> Result<Box<RawValue>, ApiError> {
    let dynamo::Asset { head, body } = stored;
    let dynamo::Head { id, state, version, created_at, updated_at, last_measured_at, .. } = head;
    let opening = Opening { asset_id: id, org_id: org, state, version };
    let opening = to_raw_value(&opening).map_err(|_| ApiError::internal())?;
    let closing = Closing { last_measured_at, created_at, updated_at };
    let closing = to_raw_value(&closing).map_err(|_| ApiError::internal())?;
    let unreadable = || ApiError::from(StoreError::Corrupt("body"));
    let body = str::from_utf8(&body).map_err(|_| unreadable())?;
    let objects = [opening.get(), body, closing.get()];
    let members = objects.map(|object| object.strip_prefix('{').and_then(|object| object.strip_suffix('}')));
    let [Some(opening), Some(body), Some(closing)] = members else { return Err(unreadable()) };
    RawValue::from_string(format!("{{{opening},{body},{closing}}}")).map_err(|_| unreadable())
}
