//! Assets in responses. The stored body is already the JSON that the response contains, so its members are
//! copied without being parsed.

use accounting::{OrgId, Timestamp};
use gateway::{ApiError, JsonMembers};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use store::{AssetId, AssetState, Head, StoreError};

/// The members of an asset that come before the members of its body.
pub(crate) const BEFORE_BODY: [&str; 4] = ["asset_id", "org_id", "state", "version"];

/// The members of an asset that come after the members of its body.
pub(crate) const AFTER_BODY: [&str; 3] = ["last_measured_at", "created_at", "updated_at"];

/// An asset in a response. The order is [`BEFORE_BODY`], the members of the body, and [`AFTER_BODY`].
#[derive(Serialize)]
struct Answered<'a> {
    asset_id: AssetId,
    org_id: &'a OrgId,
    state: AssetState,
    version: u64,
    #[serde(flatten)]
    body: JsonMembers<'a>,
    last_measured_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Serializes an asset: `CampaignAsset` or `EventAsset` in openapi.yaml. If `body` is `None`, the result
/// contains only the members outside the body. Returns an error if the stored body isn't a JSON object.
pub(crate) fn answered(org: &OrgId, head: &Head, body: Option<&[u8]>) -> Result<Box<RawValue>, ApiError> {
    let &Head { id: asset_id, state, version, created_at, updated_at, last_measured_at, .. } = head;
    let body = body.map(serde_json::from_slice).transpose().map_err(|_| StoreError::Corrupt("body"))?;
    let body = body.unwrap_or_default();
    let answered =
        Answered { asset_id, org_id: org, state, version, body, last_measured_at, created_at, updated_at };
    to_raw_value(&answered).map_err(|_| ApiError::internal())
}
