//! Derives all of a place's figures from the number of visits.
//!
//! - **Unique persons**: `visits ÷ frequency`, rounded.
//! - **Activities**: `visits × activities per visit`, rounded.
//! - **Origins**: visitors who live near the place come from ZIP codes in proportion to `population × exp(−km
//!   ÷ reach)`, and visitors who work near the place in proportion to `population × exp(−km ÷ 12)`. The
//!   visits are divided among the 48 ZIP codes with the most visitors of both kinds, in proportion to the
//!   number of visitors. If the place type has a national share, this share of the visits comes from 96 ZIP
//!   codes drawn from the whole nation. A place inside another place, such as an airport, has the origins of
//!   the outer place.
//! - **Local visits**: the visits from ZIP codes with centers at most 10 miles (16.09 km) away.
//! - **Hours**: `visits × share of the day × share of the hour`. The hourly shares differ between weekdays
//!   and weekends. There are no visits on days when the brand is closed.
//! - **Dwell time**: the visits are divided into duration bins by the place type's shares. The minutes are `Σ
//!   visits in the bin × mean of the bin`, rounded.
//! - **Cohorts**: the cohorts in the ZIP codes of origin, weighted by the visits from each ZIP code.
//! - **History**: only the years with counted visits, and no weeks.
//! - **Certified**: always false, because nothing was measured.
//!
//! Visits are divided using the largest remainder method, so the parts add up to the total.

use std::collections::BTreeMap;

use dataset::GeographyIndex;
use dataset::measures::{DAYS, DWELL_BINS, HOURS, MOST, Measure};
use dataset::position::UnitVector;

use super::apportion::apportion;
use super::brands::Brand;
use super::inputs::{Inputs, ModelPlace};
use super::parameters::PlaceType;
use super::surroundings::{Neighbour, People};

/// The maximum distance between a place and a local visitor's ZIP code: 10 miles, in kilometers.
const LOCAL_KM: f64 = 16.09344;

/// The maximum number of nearby ZIP codes among a place's origins.
const ORIGINS: usize = 48;

/// The number of ZIP codes drawn from the whole nation.
const DRAWS: usize = 96;

/// The indexes of Saturday and Sunday.
const WEEKEND: [usize; 2] = [5, 6];

/// The weekly visits to a place, and its percentile among the places of its type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TypeRank {
    pub(super) visits: u64,
    pub(super) percentile: u8,
}

/// The parameters for all places of the same type and brand.
pub(super) struct Outline<'a> {
    place_type: &'a PlaceType,
    /// The number of visits per visitor in a week.
    frequency: f64,
    /// The share of visits in each hour of the week.
    hours: Vec<f64>,
}

impl<'a> Outline<'a> {
    pub(super) fn new(place_type: &'a PlaceType, brand: Option<&Brand>) -> Self {
        let frequency = brand.and_then(|brand| brand.frequency).unwrap_or(place_type.frequency);
        let days = brand.map_or(place_type.days, |brand| brand.open_days(place_type.days));
        let hours = hours_of_week(place_type, &days);
        Self { place_type, frequency, hours }
    }

    /// Derives a place's measures from its weekly visits and its percentile.
    pub(super) fn measure(
        &self,
        inputs: &Inputs<'_>,
        people: &People<'_>,
        place: &ModelPlace,
        TypeRank { visits, percentile }: TypeRank,
    ) -> Measure {
        let host = place.inside.map_or(place, |host| &inputs.places[host]);
        let origins = origins(people, host.point(), inputs.types.get(&host.place_type), visits);
        let local =
            origins.iter().filter(|(origin, _)| origin.km <= LOCAL_KM).map(|(_, visits)| visits).sum();
        let origins = by_index(inputs, &origins);
        let unique_persons = ((visits as f64 / self.frequency).round() as u64).clamp(1, visits);
        let activities = (visits as f64 * self.place_type.activities_per_visit).round() as u64;
        let (dwell, dwell_minutes) = self.dwell(visits);
        Measure {
            modelled: true,
            certified: false,
            percentile: Some(percentile),
            activities: activities.min(MOST),
            unique_persons,
            dwell_minutes,
            local_visits: local,
            hours: self.hours(visits),
            dwell,
            segments: (inputs.segments_of)(&origins, unique_persons),
            origins,
            years: place.counted_years.clone(),
            weeks: Vec::new(),
        }
    }

    fn hours(&self, visits: u64) -> [[u64; HOURS]; DAYS] {
        let mut hours = [[0; HOURS]; DAYS];
        hours.as_flattened_mut().copy_from_slice(&apportion(visits, &self.hours));
        hours
    }

    /// Returns the visits in each duration bin, and the total duration in minutes.
    fn dwell(&self, visits: u64) -> ([u64; DWELL_BINS], u64) {
        let parts = apportion(visits, &self.place_type.dwell);
        let minutes: f64 =
            parts.iter().zip(&self.place_type.dwell_minutes).map(|(part, mean)| *part as f64 * mean).sum();
        (std::array::from_fn(|bin| parts[bin]), minutes.round() as u64)
    }
}

fn hours_of_week(place_type: &PlaceType, days: &[f64; DAYS]) -> Vec<f64> {
    let shares = |day: usize| {
        let curve =
            if WEEKEND.contains(&day) { &place_type.weekend_hours } else { &place_type.weekday_hours };
        let (share, sum) = (days[day], curve.iter().sum::<f64>());
        curve.iter().map(move |hour| share * hour / sum)
    };
    (0..DAYS).flat_map(shares).collect()
}

/// Divides visits among the nearby ZIP codes with the greatest weights, and national visits among ZIP codes
/// drawn from the whole nation. Omits ZIP codes without visits.
fn origins(
    people: &People<'_>,
    center: UnitVector,
    place_type: &PlaceType,
    visits: u64,
) -> Vec<(Neighbour, u64)> {
    let national = (visits as f64 * place_type.national_share).round() as u64;
    let mut near = people.visitors(center, place_type);
    let by_weight = |a: &Neighbour, b: &Neighbour| b.weight.total_cmp(&a.weight).then(a.zip.cmp(&b.zip));
    if near.len() > ORIGINS {
        near.select_nth_unstable_by(ORIGINS, by_weight);
        near.truncate(ORIGINS);
    }
    near.sort_unstable_by(by_weight);
    let weights: Vec<f64> = near.iter().map(|zip| zip.weight).collect();
    let mut origins: Vec<_> = near.into_iter().zip(apportion(visits - national, &weights)).collect();
    if national > 0 {
        let until = |draw: usize| draw as u64 * national / DRAWS as u64;
        let drawn = people.national(center, DRAWS).into_iter().enumerate();
        origins.extend(drawn.map(|(draw, zip)| (zip, until(draw + 1) - until(draw))));
    }
    origins.retain(|(_, visits)| *visits > 0);
    origins
}

fn by_index(inputs: &Inputs<'_>, origins: &[(Neighbour, u64)]) -> Vec<(GeographyIndex, u64)> {
    let mut by_index = BTreeMap::new();
    for (origin, visits) in origins {
        *by_index.entry(inputs.zips[origin.zip].index).or_default() += visits;
    }
    by_index.into_iter().collect()
}
