//! Estimates the measures of all places.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;

use dataset::measures::MeasuresWriter;
use dataset::{Measure, PlaceId, Progress, RowCounts};

use super::error::ModelError;
use super::inputs::Inputs;
use super::outline::{Outline, TypeRank};
use super::parallel;
use super::parameters::PlaceType;
use super::percentiles::{Demand, percentiles, visits};
use super::surroundings::{Competitors, People, Stops};

/// The maximum number of records in a batch.
const BATCH: usize = 4096;

/// A function that receives the records, sorted by place ID.
type Sink<'a> = &'a mut dyn FnMut(PlaceId, Measure) -> Result<(), ModelError>;

/// Estimates the measures of each place, writes the `Measures` part to a folder, and returns the number of
/// records.
pub(crate) fn write(
    folder: &Path,
    inputs: Inputs<'_>,
    progress: Progress<'_>,
) -> Result<RowCounts, ModelError> {
    let mut writer = MeasuresWriter::default();
    let mut push = |place, measure: Measure| Ok(writer.push(place, &measure)?);
    measure_on(parallel::threads(), inputs, progress, &mut push)?;
    Ok(writer.write(folder)?)
}

/// Estimates the measures of each place, and passes the records to `sink`, sorted by place ID.
pub(super) fn measure_on(
    threads: NonZero<usize>,
    inputs: Inputs<'_>,
    progress: Progress<'_>,
    sink: Sink<'_>,
) -> Result<(), ModelError> {
    if !inputs.zips.iter().any(|zip| zip.population > 0) && !inputs.places.is_empty() {
        return Err(ModelError::NoResidents);
    }
    let people = People::new(inputs.zips);
    let types = types_of(&inputs);
    let mut order: Vec<usize> = (0..inputs.places.len()).collect();
    order.sort_by_key(|at| inputs.places[*at].id);
    let ranks = type_ranks(threads, &inputs, &people, &types, progress);

    let (mut done, all) = (0, order.len() as u64);
    for places in order.chunks(BATCH) {
        let measures = parallel::map(places.len(), threads, &|number| {
            let at = places[number];
            let place = &inputs.places[at];
            let of_type = &types[place.place_type.as_str()];
            of_type.outlines[place.brand.as_str()].measure(&inputs, &people, place, ranks[at])
        });
        for (at, measure) in places.iter().zip(measures) {
            sink(inputs.places[*at].id, measure)?;
        }
        done += places.len() as u64;
        progress("modelling visits to places", done, all);
    }
    Ok(())
}

/// The places of one type and the model's assumptions about this type.
struct Type<'a> {
    place_type: &'a PlaceType,
    /// The parameters by brand.
    outlines: BTreeMap<&'a str, Outline<'a>>,
    places: Vec<usize>,
    competitors: Competitors,
}

fn types_of<'a>(inputs: &Inputs<'a>) -> BTreeMap<&'a str, Type<'a>> {
    let mut places = BTreeMap::<&str, Vec<usize>>::new();
    for (at, place) in inputs.places.iter().enumerate() {
        places.entry(&place.place_type).or_default().push(at);
    }
    let of_type = |(name, places): (&'a str, Vec<usize>)| {
        let competitors = Competitors::new(places.iter().map(|at| (*at, &inputs.places[*at])));
        let place_type = inputs.types.get(name);
        let mut outlines = BTreeMap::new();
        for brand in places.iter().map(|at| inputs.places[*at].brand.as_str()) {
            outlines.entry(brand).or_insert_with(|| Outline::new(place_type, inputs.brands.get(brand)));
        }
        (name, Type { place_type, outlines, places, competitors })
    };
    places.into_iter().map(of_type).collect()
}

/// Returns each place's visits and its percentile among the places of its type.
fn type_ranks(
    threads: NonZero<usize>,
    inputs: &Inputs<'_>,
    people: &People<'_>,
    types: &BTreeMap<&str, Type<'_>>,
    progress: Progress<'_>,
) -> Vec<TypeRank> {
    let mut ranks = vec![TypeRank::default(); inputs.places.len()];
    let mut stops = Stops::new(std::iter::empty());
    let mut done = 0;
    // Visits to stops count as riders, which affect the visits to other places. Therefore, stops come first.
    for is_stop in [true, false] {
        let of_kind: Vec<&Type<'_>> =
            types.values().filter(|of_type| of_type.place_type.transit_stop == is_stop).collect();
        for of_type in &of_kind {
            let visits = of_type.visits(threads, inputs, people, &stops);
            let percentiles = percentiles(&visits);
            for (number, at) in of_type.places.iter().enumerate() {
                ranks[*at] = TypeRank { visits: visits[number], percentile: percentiles[number] };
            }
            done += of_type.places.len() as u64;
            progress("finding people near places", done, inputs.places.len() as u64);
        }
        if is_stop {
            let places = of_kind.iter().flat_map(|of_type| &of_type.places);
            stops = Stops::new(places.map(|at| (inputs.places[*at].point(), ranks[*at].visits)));
        }
    }
    ranks
}

impl Type<'_> {
    /// Returns the weekly visits to each place of this type.
    fn visits(
        &self,
        threads: NonZero<usize>,
        inputs: &Inputs<'_>,
        people: &People<'_>,
        stops: &Stops,
    ) -> Vec<u64> {
        let demand = parallel::map(self.places.len(), threads, &|number| {
            let at = self.places[number];
            let place = &inputs.places[at];
            let center = place.point();
            Demand {
                people: people.near(center, self.place_type),
                share: self.competitors.share(at, center, self.place_type.reach_km),
                transit: stops.factor(center, self.place_type.transit),
                size: place.size,
                format: place.format,
                brand: &place.brand,
                counted: place.counted_visits(),
            }
        });
        let average = |brand: &str| inputs.brands.get(brand)?.weekly_visits;
        visits(self.place_type, &average, &demand)
    }
}
