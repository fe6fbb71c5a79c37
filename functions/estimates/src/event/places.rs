//! An event's places and their visits.

use std::collections::BTreeMap;

use dataset::{Measure, PlaceId, PlaceIndex};
use gateway::{ApiError, Violations, Warning, Warnings};
use scenario_bodies::Event;

use super::visits::Visits;
use crate::members::{distinct, such_as};

/// An event's places that have visits, sorted by ID.
#[derive(Default)]
pub(crate) struct EventPlaces {
    pub(crate) places: Vec<EventPlace>,
    /// The IDs that the release doesn't contain.
    pub(crate) unknown_ids: Vec<String>,
    pub(crate) without_visits: Vec<PlaceId>,
    pub(crate) warnings: Warnings,
}

pub(crate) struct EventPlace {
    pub(crate) id: PlaceId,
    pub(crate) index: PlaceIndex,
    pub(crate) measure: Measure,
}

impl EventPlaces {
    /// Looks up an event's places. Returns an error if none of them has visits.
    pub(crate) fn of(event: &Event, visits: &Visits) -> Result<Self, ApiError> {
        let mut found = Self::default();
        let (mut known, mut unknown) = (BTreeMap::new(), Vec::new());
        for (at, id) in event.place_ids.as_slice().iter().enumerate() {
            let text = id.as_str();
            match text.parse().ok().and_then(|id| Some((id, visits.places.find(id)?))) {
                Some((id, index)) => _ = known.entry(id).or_insert((at, index)),
                None => unknown.push(text),
            }
        }
        found.unknown_ids = distinct(unknown);
        for (id, (at, index)) in known {
            match visits.measure(id)? {
                Some(measure) => found.add(at, EventPlace { id, index, measure }),
                None => found.without_visits.push(id),
            }
        }
        if found.places.is_empty() { Err(found.no_visits().into()) } else { Ok(found) }
    }

    fn add(&mut self, at: usize, place: EventPlace) {
        if place.measure.origins.is_empty() {
            let detail = "is a place whose visitors' homes are unknown, so the cohort's figures don't \
                          include it";
            self.warnings.add(|| Warning { pointer: format!("/place_ids/{at}"), detail: detail.to_owned() });
        }
        self.places.push(place);
    }

    fn no_visits(&self) -> Violations {
        let rule = format!(
            "must contain a place with visits (places without visits: {}; unknown IDs: {}{}); use place \
             search to find places with weekly_visits",
            self.without_visits.len(),
            self.unknown_ids.len(),
            such_as(&self.unknown_ids)
        );
        Violations::one("/place_ids", rule)
    }
}
