//! Responds with the visits and visitors of an event.

use accounting::Timestamp;
use axum::Extension;
use axum::extract::State;
use gateway::{ApiError, Caller, JsonBody, PublicUrl, Reply};
use scenario_bodies::Event;
use serde_json::value::RawValue;

use super::estimate::Estimate;
use super::hours::EventHours;
use super::places::EventPlaces;
use super::reply::EventEstimate;
use crate::Release;
use crate::audience::{Audience, CohortId};
use crate::estimates::{Estimated, Estimates, written};
use crate::provenance::provenance;

/// The inputs in addition to the population.
const INPUTS: [&str; 2] = ["visits to places", "assumptions about persons who visit several places"];

pub(crate) async fn estimate(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Box<RawValue>>, ApiError> {
    let event: Event = estimates.requested(&caller, body).await?;
    Ok(estimated(&event, None, &estimates.release).await?.reply(&public_url))
}

/// Estimates an event, or its part before `until`.
pub(crate) async fn estimated(
    event: &Event,
    until: Option<Timestamp>,
    release: &Release,
) -> Result<Estimated, ApiError> {
    let hours = EventHours::of(event, until)?;
    let target =
        CohortId { pointer: "/cohort/service_segment_id", id: event.cohort.service_segment_id.as_str() };
    let audience = Audience::of(target, None, event.cohort.geography_ids.as_slice(), release)?;
    let visits = release.visits().await?;
    let mut places = EventPlaces::of(event, visits)?;
    let estimate = Estimate::of(&places, &hours, &audience, release);
    let warnings = std::mem::take(&mut places.warnings);
    let are_modelled = places.places.iter().any(|place| place.measure.modelled);
    let of_places = ("visits to places", visits.about(are_modelled));
    let provenance = provenance(release, &audience, of_places, &INPUTS);
    let estimate = EventEstimate::new(places, &audience, &estimate, release, visits);
    let json = written(&estimate, estimate.markets.len(), &estimate.unknown_ids)?;
    Ok(Estimated { json, warnings, provenance })
}
