//! `POST /v2/measures/campaigns/estimate`: the estimate of a campaign.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use contact_model::MODEL;
use dataset::{Maturity, Provenance};
use gateway::{ApiError, App, Caller, Code, JsonBody, PublicUrl, Reply, Violations};
use scenario_bodies::{Campaign, from_stored};
use serde_json::value::{RawValue, to_raw_value};
use store::{Assets, Family};

use crate::Release;
use crate::audience::Audience;
use crate::estimate::Estimate;
use crate::plan::Plan;
use crate::reply::CampaignEstimate;
use crate::request::RequestedCampaign;

/// The path of the portal's page that explains estimates.
const ESTIMATES_PAGE: &str = "/portal/docs/estimates";

/// The inputs from the records of displays. Assumptions replace missing shares of voice.
const DISPLAY_INPUTS: [&str; 3] = [
    "weekly impressions of displays",
    "shares of voice of displays",
    "assumptions about the environments of displays",
];

/// The maximum size of an estimate as JSON, in bytes. Escaping for Lambda at most doubles the size, so the
/// response always fits into Lambda's limit of 6 MB.
const MAX_ESTIMATE_BYTES: usize = 2_800_000;

/// The state of the handler.
#[derive(Clone, Debug)]
pub struct Estimates {
    campaigns: Assets,
    release: Arc<Release>,
}

impl Estimates {
    pub(crate) fn new(app: &App, release: Arc<Release>) -> Self {
        Self { campaigns: Assets::new(app.dynamo.clone(), Family::Campaign), release }
    }

    async fn campaign(&self, caller: &Caller, body: JsonBody) -> Result<Campaign, ApiError> {
        match RequestedCampaign::read(body, &self.release.geographies)? {
            RequestedCampaign::Body(campaign) => Ok(*campaign),
            RequestedCampaign::Stored(id) => {
                let asset = self.campaigns.read(caller.org(), id).await?;
                let not_found =
                    || ApiError::new(Code::NotFound, "your organization has no campaign with this id");
                from_stored(&asset.ok_or_else(not_found)?.body)
            }
        }
    }
}

/// Responds with the impressions, reach, and frequency of a campaign.
pub(crate) async fn estimate(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Box<RawValue>>, ApiError> {
    let campaign = estimates.campaign(&caller, body).await?;
    let release = &estimates.release;
    let mut plan = Plan::of(&campaign, release)?;
    let audience = Audience::of(&campaign.cohort, release, &mut plan.warnings)?;
    let estimate = Estimate::of(&plan, &audience, release);
    let warnings = std::mem::take(&mut plan.warnings);
    let about = provenance(release, &audience, public_url.of(ESTIMATES_PAGE));
    let estimate = CampaignEstimate::new(plan, &audience, &estimate, release);
    Ok(Reply::new(written(&estimate)?).with_warnings(warnings).with_provenance(about))
}

/// Returns an estimate as JSON, or an error if it's too long for one response. The gateway's own check
/// follows the charge, but calls that return an error must be free.
fn written(estimate: &CampaignEstimate) -> Result<Box<RawValue>, ApiError> {
    let json = to_raw_value(estimate).map_err(|_| ApiError::internal())?;
    let bytes = json.get().len();
    if bytes <= MAX_ESTIMATE_BYTES {
        return Ok(json);
    }
    let rule = format!(
        "must result in an estimate of at most {MAX_ESTIMATE_BYTES} bytes, results in {bytes} with {} areas \
         and {} unknown display IDs; name larger areas, or correct the IDs",
        estimate.markets.len(),
        estimate.unknown_ids.len(),
    );
    Err(Violations::one("/cohort/geography_ids", rule).into())
}

/// Returns the provenance of an estimate, which is synthetic whatever it was computed from. Its vintage is
/// that of the oldest input.
fn provenance(release: &Release, audience: &Audience, source_doc: String) -> Provenance {
    let population = audience.cohort.provenance(&release.population, &release.about_zips);
    let displays = &release.about_displays;
    Provenance {
        source: format!(
            "estimated with {MODEL} from weekly impressions of displays ({}) and the population of ZIP codes \
             ({})",
            displays.source, population.source
        ),
        source_doc,
        methodology_version: MODEL.to_owned(),
        // Dates as `YYYY-MM-DD` have the order of their texts.
        data_vintage: displays.data_vintage.clone().min(population.data_vintage),
        data_maturity: Maturity::SyntheticOnly,
        modelled_from: DISPLAY_INPUTS
            .map(str::to_owned)
            .into_iter()
            .chain(population.modelled_from)
            .collect(),
        known_gaps: [&displays.known_gaps[..], &population.known_gaps].concat(),
        ..population
    }
}
