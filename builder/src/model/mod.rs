//! A model that derives the record of each place from where it is: from who lives around it, and what else is there.
//!
//! It measures nothing. What it makes of a place depends on its inputs alone, not on chance, time or threads.
//!
//! - People around a place: `Σ population × exp(−km ÷ reach)` over the ZIP codes within six reaches; the reach is the
//!   type's. Where there is none, the nearest ZIP code stands at the edge.
//! - Share that competition leaves it: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places of its type.
//! - Visits of an average week: `base of the type × √(people ÷ median people) × share ÷ median share`, the medians being
//!   those of the type, rounded, at least 1.
//! - Percentile: how many of a hundred other places of the type have fewer visits, rounded down.
//! - Everything else follows from the visits: see [`outline`].

mod apportion;
mod history;
mod outline;
mod parallel;
mod parameters;
mod surroundings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;

use dataset::Progress;
use dataset::globe::{Point, point};
use dataset::measures::{MOST, Measure, MeasuresWriter};
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

use outline::Outline;
use surroundings::{Competitors, People};

pub(crate) use parameters::PlaceTypes;

/// How many records are in memory at once.
const BATCH: usize = 4096;

/// A ZIP code as the model sees it.
#[derive(Clone, Debug)]
pub(crate) struct ModelZip {
    pub(crate) index: GeographyIndex,
    pub(crate) position: Position,
    pub(crate) population: u32,
    /// The number of its county among the model's counties.
    pub(crate) county: usize,
}

/// A place as the model sees it.
#[derive(Clone, Debug)]
pub(crate) struct ModelPlace {
    pub(crate) id: PlaceId,
    pub(crate) place_type: String,
    pub(crate) position: Position,
}

impl ModelPlace {
    fn point(&self) -> Point {
        point(self.position)
    }
}

/// Returns the persons of each cohort among so many, of whom each county contributes in proportion to its weight.
///
/// The cohorts ascend, and none has more persons than there are.
pub(crate) type SegmentsOf<'a> = &'a (dyn Fn(&[(usize, f64)], u64) -> Vec<(SegmentIndex, u64)> + Sync);

/// What the model starts from.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) types: &'a PlaceTypes,
    pub(crate) zips: &'a [ModelZip],
    /// The population of each county from 2020 to 2023.
    pub(crate) county_trend: &'a [[f64; 4]],
    pub(crate) places: &'a [ModelPlace],
    pub(crate) segments_of: SegmentsOf<'a>,
}

/// Takes records one after the other.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(PlaceId, Measure) -> Result<(), String>;

/// Derives the record of every place, writes the file of them, and returns its row counts.
pub(crate) fn write(path: &Path, inputs: Inputs<'_>, progress: Progress<'_>) -> Result<BTreeMap<String, u64>, String> {
    let mut writer = MeasuresWriter::default();
    measure_all(inputs, progress, &mut |place, measure| writer.push(place, &measure))?;
    writer.write(path)
}

/// Derives the record of every place and hands them over in ascending order of the ids.
pub(crate) fn measure_all(inputs: Inputs<'_>, progress: Progress<'_>, sink: Sink<'_>) -> Result<(), String> {
    measure_on(parallel::threads(), inputs, progress, sink)
}

fn measure_on(
    threads: NonZero<usize>,
    inputs: Inputs<'_>,
    progress: Progress<'_>,
    sink: Sink<'_>,
) -> Result<(), String> {
    check(&inputs)?;
    let people = People::new(inputs.zips);
    let types = types_of(&inputs);
    let mut order: Vec<usize> = (0..inputs.places.len()).collect();
    order.sort_by_key(|at| inputs.places[*at].id);
    let standing = standings(threads, &inputs, &people, &types, progress);

    let all = order.len();
    for (batch, places) in order.chunks(BATCH).enumerate() {
        let done = parallel::stage(progress, "modelling the records of places", batch * BATCH, all);
        let measures = parallel::map(places.len(), threads, &done, &|number| {
            let at = places[number];
            let place = &inputs.places[at];
            types[place.place_type.as_str()].outline.measure(&inputs, &people, place, standing[at])
        });
        for (at, measure) in places.iter().zip(measures) {
            sink(inputs.places[*at].id, measure)?;
        }
    }
    Ok(())
}

/// The places of one type, and what the model assumes of them.
struct Type<'a> {
    outline: Outline<'a>,
    places: Vec<usize>,
    competitors: Competitors,
}

/// Where a place stands among its type.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    visits: u64,
    percentile: u8,
}

fn check(inputs: &Inputs<'_>) -> Result<(), String> {
    if !inputs.zips.iter().any(|zip| zip.population > 0) && !inputs.places.is_empty() {
        return Err("no ZIP code has people, so nobody can visit a place".to_owned());
    }
    match inputs.zips.iter().find(|zip| zip.county >= inputs.county_trend.len()) {
        Some(zip) => Err(format!("a ZIP code lies in county {} of {}", zip.county, inputs.county_trend.len())),
        None => Ok(()),
    }
}

fn types_of<'a>(inputs: &Inputs<'a>) -> BTreeMap<&'a str, Type<'a>> {
    let mut places = BTreeMap::<&str, Vec<usize>>::new();
    for (at, place) in inputs.places.iter().enumerate() {
        places.entry(&place.place_type).or_default().push(at);
    }
    let of_type = |(name, places): (&'a str, Vec<usize>)| {
        let competitors = Competitors::new(places.iter().map(|at| (*at, &inputs.places[*at])));
        let outline = Outline::new(inputs.types.get(name), inputs.types.certified_visits);
        (name, Type { outline, places, competitors })
    };
    places.into_iter().map(of_type).collect()
}

/// Returns the visits and the percentile of each place.
fn standings(
    threads: NonZero<usize>,
    inputs: &Inputs<'_>,
    people: &People<'_>,
    types: &BTreeMap<&str, Type<'_>>,
    progress: Progress<'_>,
) -> Vec<Standing> {
    let mut standings = vec![Standing::default(); inputs.places.len()];
    let mut before = 0;
    for of_type in types.values() {
        let reach = of_type.outline.place_type.reach_km;
        let done = parallel::stage(progress, "finding who lives around places", before, inputs.places.len());
        let surroundings = parallel::map(of_type.places.len(), threads, &done, &|number| {
            let at = of_type.places[number];
            let center = inputs.places[at].point();
            let people: f64 = people.around(center, reach).iter().map(|neighbour| neighbour.weight).sum();
            (people, of_type.competitors.share(at, center, reach))
        });
        let visits = visits(of_type.outline.place_type.weekly_visits, &surroundings);
        let percentiles = percentiles(&visits);
        for (number, at) in of_type.places.iter().enumerate() {
            standings[*at] = Standing { visits: visits[number], percentile: percentiles[number] };
        }
        before += of_type.places.len();
    }
    standings
}

/// Returns the visits of the places of a type from the people around each and the share left to it.
fn visits(base: f64, surroundings: &[(f64, f64)]) -> Vec<u64> {
    let people = median(surroundings.iter().map(|one| one.0));
    let share = median(surroundings.iter().map(|one| one.1));
    let visits = |one: &(f64, f64)| base * (one.0 / people).sqrt() * one.1 / share;
    surroundings.iter().map(|one| (visits(one).round() as u64).clamp(1, MOST)).collect()
}

/// Returns how many of a hundred others each has more visits than; one alone is above all there are.
fn percentiles(visits: &[u64]) -> Vec<u8> {
    let mut sorted = visits.to_vec();
    sorted.sort_unstable();
    let others = visits.len().saturating_sub(1);
    let fewer = |visits: &u64| sorted.partition_point(|other| other < visits);
    let of_hundred = |visits: &u64| (100 * fewer(visits)).checked_div(others).unwrap_or(100);
    visits.iter().map(|visits| u8::try_from(of_hundred(visits)).expect("at most all others have fewer")).collect()
}

/// Returns the middle one, or the upper one of the two in the middle; 1 of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}
