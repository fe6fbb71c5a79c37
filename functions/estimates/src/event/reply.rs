//! The response, which is `EventEstimate` in openapi.yaml. Figures are rounded only in this module.

use contact_model::MODEL;
use dataset::rounded_index;
use gateway::Table;
use serde::Serialize;

use super::estimate::{Estimate, PlaceEstimate, TargetVisits};
use super::places::{EventPlace, EventPlaces};
use super::visits::Visits;
use crate::Release;
use crate::audience::{Audience, EstimatedMarket, Market};
use crate::members::{Location, hundredths, whole};

/// The places in an estimate, for CSV and GeoJSON responses.
pub(crate) static PLACES: Table = Table {
    name: "estimated-places",
    rows: "data.places",
    total: None,
    columns: || {
        vec![
            "place_id",
            "place_name",
            "location.lat",
            "location.lon",
            "visits",
            "weekly_visits",
            "weekly_visits_from",
            "unique_persons",
            "target_visits",
            "index",
        ]
    },
    feature: Some(Location::feature("place_id")),
};

#[derive(Debug, Serialize)]
pub(crate) struct EventEstimate {
    model: &'static str,
    cohort_description: String,
    totals: Totals,
    markets: Vec<EstimatedMarket<TargetFigures>>,
    places: Vec<EstimatedPlace>,
    pub(crate) unknown_ids: Vec<String>,
    places_without_visits: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Totals {
    visits: u64,
    unique_persons: Option<u64>,
    #[serde(flatten)]
    target: TargetFigures,
}

/// The figures for the target persons in the markets. If there are no target persons, all figures are null.
/// If there are no visits, all figures except `target_persons` are null.
#[derive(Debug, Serialize)]
struct TargetFigures {
    target_persons: Option<u64>,
    target_visits: Option<u64>,
    reach: Option<u64>,
    frequency: Option<f64>,
}

#[derive(Debug, Serialize)]
struct EstimatedPlace {
    place_id: String,
    place_name: String,
    location: Location,
    visits: u64,
    weekly_visits: u64,
    weekly_visits_from: &'static str,
    unique_persons: Option<u64>,
    target_visits: Option<u64>,
    index: Option<f64>,
}

impl EventEstimate {
    pub(crate) fn new(
        places: EventPlaces,
        audience: &Audience,
        estimate: &Estimate,
        release: &Release,
        visits: &Visits,
    ) -> Self {
        let target = |zips: &[usize], visits: &Option<TargetVisits>| {
            TargetFigures::new(audience.persons(zips), visits.as_ref())
        };
        let market = |(market, visits): (&Market, &Option<TargetVisits>)| {
            market.row(release, target(&market.zips, visits))
        };
        let rows = places.places.iter().zip(&estimate.places);
        Self {
            model: MODEL,
            cohort_description: audience.cohort.description(&release.population),
            totals: Totals {
                visits: whole(estimate.places.iter().map(|place| place.visits).sum()),
                unique_persons: estimate.persons.map(whole),
                target: target(&audience.zips, &estimate.total),
            },
            markets: audience.markets.iter().zip(&estimate.markets).map(market).collect(),
            places: rows.map(|(place, estimate)| EstimatedPlace::new(place, estimate, visits)).collect(),
            unknown_ids: places.unknown_ids,
            places_without_visits: places.without_visits.iter().map(ToString::to_string).collect(),
        }
    }
}

impl TargetFigures {
    fn new(persons: f64, target: Option<&TargetVisits>) -> Self {
        Self {
            target_persons: (persons > 0.0).then(|| whole(persons)),
            target_visits: target.map(|target| whole(target.visits)),
            reach: target.map(|target| whole(target.persons)),
            frequency: target.map(|target| hundredths(target.visits / target.persons)),
        }
    }
}

impl EstimatedPlace {
    fn new(
        EventPlace { id, index, measure }: &EventPlace,
        estimate: &PlaceEstimate,
        visits: &Visits,
    ) -> Self {
        let place = visits.places.get(*index);
        Self {
            place_id: id.to_string(),
            place_name: place.name.to_owned(),
            location: Location { lat: place.latitude, lon: place.longitude },
            visits: whole(estimate.visits),
            weekly_visits: measure.visits(),
            weekly_visits_from: if measure.modelled { "modelled" } else { "counted" },
            unique_persons: estimate.persons.map(whole),
            target_visits: estimate.target_visits.map(whole),
            index: estimate.index.map(rounded_index),
        }
    }
}
