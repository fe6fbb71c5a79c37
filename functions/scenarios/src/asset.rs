//! Assets as they are answered. A body is stored as the JSON that is answered, and goes from one to the other
//! unread.

use accounting::{OrgId, Timestamp};
use gateway::ApiError;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use store::{AssetId, AssetState, Head, StoreError};

/// The members of an asset before those of its body.
pub(crate) const BEFORE_BODY: [&str; 4] = ["asset_id", "org_id", "state", "version"];

/// The members of an asset after those of its body.
pub(crate) const AFTER_BODY: [&str; 3] = ["last_measured_at", "created_at", "updated_at"];

/// [`BEFORE_BODY`].
#[derive(Serialize)]
struct Opening<'a> {
    asset_id: AssetId,
    org_id: &'a OrgId,
    state: AssetState,
    version: u64,
}

/// [`AFTER_BODY`].
#[derive(Serialize)]
struct Closing {
    last_measured_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Writes an asset: `CampaignAsset` and `EventAsset` in openapi.yaml; without a body, its other members.
///
/// # Errors
///
/// When what is stored is not an object of JSON.
pub(crate) fn answered(org: &OrgId, head: &Head, body: Option<&[u8]>) -> Result<Box<RawValue>, ApiError> {
    let &Head { id, state, version, created_at, updated_at, last_measured_at, .. } = head;
    let opening = Opening { asset_id: id, org_id: org, state, version };
    let opening = to_raw_value(&opening).map_err(|_| ApiError::internal())?;
    let closing = Closing { last_measured_at, created_at, updated_at };
    let closing = to_raw_value(&closing).map_err(|_| ApiError::internal())?;
    let unreadable = || ApiError::from(StoreError::Corrupt("body"));
    let body = body.map(str::from_utf8).transpose().map_err(|_| unreadable())?;
    let objects = [Some(opening.get()), body, Some(closing.get())].into_iter().flatten();
    let members = objects.map(|object| object.strip_prefix('{').and_then(|object| object.strip_suffix('}')));
    let members: Vec<_> = members.collect::<Option<_>>().ok_or_else(unreadable)?;
    RawValue::from_string(format!("{{{}}}", members.join(","))).map_err(|_| unreadable())
}
