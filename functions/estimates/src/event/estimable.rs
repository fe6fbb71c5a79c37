//! Estimates an event's visits and visitors.

use accounting::Day;
use gateway::ApiError;
use scenario_bodies::Event;

use super::estimate::Estimate;
use super::hours::EventHours;
use super::places::EventPlaces;
use super::reply::EventEstimate;
use crate::Release;
use crate::audience::{Audience, CohortId};
use crate::estimates::{Estimable, Estimated, written};
use crate::provenance::provenance;
use crate::span::{Span, day_of, end_of};

/// The inputs that an estimate of an event uses in addition to the population.
const INPUTS: [&str; 2] = ["visits to places", "assumptions about people who visit several places"];

impl Estimable for Event {
    fn span(&self) -> Span {
        let periods = self.periods.as_slice().iter();
        let moments =
            periods.filter_map(|period| Some([period.start_time.moment()?, period.end_time.moment()?]));
        let days: Vec<Day> = moments.flatten().map(day_of).collect();
        let [first, last] =
            [days.iter().min(), days.iter().max()].map(|day| *day.expect("an event has a period"));
        Span { first, last }
    }

    async fn estimate(self, through: Day, release: &Release) -> Result<Estimated, ApiError> {
        let hours = EventHours::of(&self, end_of(through))?;
        let id = self.cohort.service_segment_id.as_str();
        let target = CohortId { pointer: "/cohort/service_segment_id", id };
        let audience = Audience::of(target, None, self.cohort.geography_ids.as_slice(), release)?;
        let visits = release.visits().await?;
        let mut places = EventPlaces::of(&self, visits)?;
        let estimate = Estimate::of(&places, &hours, &audience, release);
        let warnings = std::mem::take(&mut places.warnings);
        let are_modelled = places.places.iter().any(|place| place.measure.modelled);
        let of_places = ("visits to places", visits.about(are_modelled));
        let provenance = provenance(release, &audience, of_places, &INPUTS);
        let estimate = EventEstimate::new(places, &audience, &estimate, release, visits);
        let json = written(&estimate, audience.markets.len(), &estimate.unknown_ids)?;
        Ok(Estimated { json, warnings, provenance })
    }
}
