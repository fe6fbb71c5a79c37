use serde::Serialize;
use shared::dynamo;
use shared::http::ApiError;
use shared::types::{AssetId, AssetState, OrgId, Timestamp};

use crate::scenario::Scenario;

/// An asset as it is answered (Specification, CampaignAsset and EventAsset).
#[derive(Debug, Serialize)]
pub(crate) struct Asset<S> {
    asset_id: AssetId,
    org_id: OrgId,
    state: AssetState,
    #[serde(flatten)]
    body: S,
    last_measured_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<S: Scenario> Asset<S> {
    /// Reads a stored asset.
    pub(crate) fn stored(org: &OrgId, stored: &dynamo::Asset) -> Result<Self, ApiError> {
        let dynamo::Head { id, state, created_at, updated_at, last_measured_at, .. } = stored.head;
        Ok(Self {
            asset_id: id,
            org_id: org.clone(),
            state,
            body: stored_body(&stored.body)?,
            last_measured_at,
            created_at,
            updated_at,
        })
    }
}

/// Reads a stored body, which was valid when it was stored.
pub(crate) fn stored_body<S: Scenario>(json: &[u8]) -> Result<S, ApiError> {
    serde_json::from_slice(json).map_err(|_| ApiError::from(dynamo::StoreError::Corrupt("body")))
}

/// Writes a body as it is stored.
pub(crate) fn body_to_store<S: Scenario>(body: &S) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(body).map_err(|_| ApiError::internal())
}
