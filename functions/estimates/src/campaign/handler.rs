//! Responds with the impressions, reach, and frequency of a campaign.

use axum::Extension;
use axum::extract::State;
use gateway::{ApiError, Caller, JsonBody, PublicUrl, Reply, Violations, Warning, Warnings};
use scenario_bodies::{Campaign, Cohort};
use serde_json::value::RawValue;

use super::estimate::Estimate;
use super::plan::Plan;
use super::reply::CampaignEstimate;
use crate::Release;
use crate::audience::{Audience, CohortId};
use crate::estimates::{Estimated, Estimates, written};
use crate::provenance::provenance;

/// The inputs from the records of displays. Assumptions replace missing shares of voice.
const DISPLAY_INPUTS: [&str; 3] = [
    "weekly impressions of displays",
    "shares of voice of displays",
    "assumptions about the environments of displays",
];

pub(crate) async fn estimate(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Box<RawValue>>, ApiError> {
    let campaign: Campaign = estimates.requested(&caller, body).await?;
    Ok(estimated(&campaign, &estimates.release)?.reply(&public_url))
}

pub(crate) fn estimated(campaign: &Campaign, release: &Release) -> Result<Estimated, ApiError> {
    let mut plan = Plan::of(campaign, release)?;
    let audience = audience(&campaign.cohort, release, &mut plan.warnings)?;
    let estimate = Estimate::of(&plan, &audience, release);
    let warnings = std::mem::take(&mut plan.warnings);
    let displays = ("weekly impressions of displays", &release.about_displays);
    let provenance = provenance(release, &audience, displays, &DISPLAY_INPUTS);
    let estimate = CampaignEstimate::new(plan, &audience, &estimate, release);
    let json = written(&estimate, estimate.markets.len(), &estimate.unknown_ids)?;
    Ok(Estimated { json, warnings, provenance })
}

fn audience(cohort: &Cohort, release: &Release, warnings: &mut Warnings) -> Result<Audience, Violations> {
    let segments = cohort.service_segment_ids.as_slice();
    let target = CohortId { pointer: "/cohort/service_segment_ids/0", id: segments[0].as_str() };
    let base_id = cohort.service_base_segment_id.as_str();
    let base = CohortId { pointer: "/cohort/service_base_segment_id", id: base_id };
    let audience = Audience::of(target, Some(base), cohort.geography_ids.as_slice(), release)?;
    if segments.len() > 1 {
        let detail = "only the first cohort is estimated; estimate the others with a call for each";
        let pointer = "/cohort/service_segment_ids/1".to_owned();
        warnings.add(|| Warning { pointer, detail: detail.to_owned() });
    }
    Ok(audience)
}
