//! The request body: a stored campaign's ID, or the body of a campaign.

use dataset::Geographies;
use deserr::Deserr;
use gateway::{JsonBody, Parsed, Violations};
use scenario_bodies::{Campaign, read_body};
use store::AssetId;

/// The campaign to estimate. See `CampaignEstimateRequest` in openapi.yaml.
pub(crate) enum RequestedCampaign {
    Stored(AssetId),
    Body(Box<Campaign>),
}

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct StoredCampaign {
    asset_id: Parsed<AssetId>,
}

impl RequestedCampaign {
    /// Parses a body. A body with an `asset_id` can't contain anything else.
    pub(crate) fn read(body: JsonBody, known: &Geographies) -> Result<Self, Violations> {
        if body.raw().get("asset_id").is_none() {
            return read_body(body, known).map(|campaign| Self::Body(Box::new(campaign)));
        }
        let StoredCampaign { asset_id: Parsed(id) } = body.read()?;
        Ok(Self::Stored(id))
    }
}
