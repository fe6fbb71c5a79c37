//! Estimates the impressions, reach, and frequency of a campaign.

use accounting::Day;
use gateway::{ApiError, Violations, Warning, Warnings};
use scenario_bodies::{Campaign, Cohort};

use super::estimate::Estimate;
use super::plan::Plan;
use super::reply::CampaignEstimate;
use crate::Release;
use crate::audience::{Audience, CohortId};
use crate::estimates::{Estimable, Estimated, written};
use crate::provenance::provenance;
use crate::span::Span;

/// The inputs taken from display records. If a record has no share of voice, one is assumed.
const DISPLAY_INPUTS: [&str; 3] =
    ["displays' weekly impressions", "displays' shares of voice", "assumptions about display environments"];

impl Estimable for Campaign {
    fn span(&self) -> Span {
        Span { first: self.flight.start_date.day(), last: self.flight.end_date.day() }
    }

    async fn estimate(mut self, through: Day, release: &Release) -> Result<Estimated, ApiError> {
        self.flight.end_date = through.into();
        let mut plan = Plan::of(&self, release)?;
        let audience = audience(&self.cohort, release, &mut plan.warnings)?;
        let estimate = Estimate::of(&plan, &audience, release);
        let warnings = std::mem::take(&mut plan.warnings);
        let displays = ("displays' weekly impressions", &release.about_displays);
        let provenance = provenance(release, &audience, displays, &DISPLAY_INPUTS);
        let estimate = CampaignEstimate::new(plan, &audience, &estimate, release);
        let json = written(&estimate, audience.markets.len(), &estimate.unknown_ids)?;
        Ok(Estimated { json, warnings, provenance })
    }
}

fn audience(cohort: &Cohort, release: &Release, warnings: &mut Warnings) -> Result<Audience, Violations> {
    let segments = cohort.service_segment_ids.as_slice();
    let target = CohortId { pointer: "/cohort/service_segment_ids/0", id: segments[0].as_str() };
    let base_id = cohort.service_base_segment_id.as_str();
    let base = CohortId { pointer: "/cohort/service_base_segment_id", id: base_id };
    let audience = Audience::of(target, Some(base), cohort.geography_ids.as_slice(), release)?;
    if segments.len() > 1 {
        let detail = "only the first cohort is estimated; send a separate call for each of the others";
        let pointer = "/cohort/service_segment_ids/1".to_owned();
        warnings.add(|| Warning { pointer, detail: detail.to_owned() });
    }
    Ok(audience)
}
