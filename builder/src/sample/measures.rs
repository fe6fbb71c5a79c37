//! Collects the inputs for the visit model and runs the model for all places in the sample release.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use dataset::cohorts::Cells;
use dataset::{
    Geographies, GeographyId, GeographyIndex, GeographyType, Places, Population, Position, Progress,
    RowCounts, SegmentIndex,
};

use super::airports::{Airports, Boardings};
use super::error::{SampleError, SourceError};
use super::formats;
use super::sizes::Sizes;
use super::table::Table;
use crate::cohorts::{cells_of, mean_shares};
use crate::model::{self, Brands, Inputs, ModelPlace, ModelZip, PlaceTypes};

/// The file with the model's assumptions about place types, relative to the source data folder.
const PLACE_TYPES: &str = "places/place_types.toml";

/// The file with the model's parameters for each brand, relative to the source data folder.
pub(super) const BRANDS: &str = "places/brands.toml";

/// Estimates the measures of each place and writes the `Measures` part. Returns the number of records.
pub(super) fn write(
    data: &Path,
    geographies: &Geographies,
    population: &Population,
    (places, sizes): (&Places, &Sizes),
    out: &Path,
    progress: Progress<'_>,
) -> Result<RowCounts, SampleError> {
    let types = PlaceTypes::read(&data.join(PLACE_TYPES))?;
    let brands = Brands::read(&data.join(BRANDS))?;
    let zips = zips(geographies, &workers(data)?);
    let cells: HashMap<GeographyIndex, Cells> =
        zips.iter().map(|zip| (zip.index, population.cells(zip.index))).collect();
    let anytime: Vec<SegmentIndex> =
        population.segments().filter(|segment| segment.anytime).map(|segment| segment.index).collect();
    let segments_of = |origins: &[(GeographyIndex, u64)], persons: u64| {
        segments(population, &cells, &anytime, origins, persons)
    };
    let inputs = Inputs {
        types: &types,
        brands: &brands,
        zips: &zips,
        places: &sites(places, &Boardings::read(data)?, sizes, &brands),
        segments_of: &segments_of,
    };
    Ok(model::write(out, inputs, progress)?)
}

fn zips(geographies: &Geographies, workers: &BTreeMap<GeographyId, u32>) -> Vec<ModelZip> {
    let zip = |index| {
        let zip = geographies.get(index);
        let position = zip.position.filter(|_| zip.county.is_some())?;
        let workers = workers.get(&zip.id).copied().unwrap_or(0);
        Some(ModelZip { index, position, population: zip.population, workers })
    };
    geographies.of_type(GeographyType::Zip).filter_map(zip).collect()
}

/// Returns a release's places, with the properties that the model needs.
pub(super) fn sites(
    places: &Places,
    boardings: &Boardings,
    sizes: &Sizes,
    brands: &Brands,
) -> Vec<ModelPlace> {
    let airports = Airports::among(places.indexes().map(|index| places.get(index)), boardings);
    let site = |index| {
        let place = places.get(index);
        let inside = airports.around(&place);
        ModelPlace {
            id: place.id,
            place_type: place.place_type.to_owned(),
            brand: place.brand.unwrap_or_default().to_owned(),
            format: formats::factor(&place, inside.is_some(), brands),
            size: sizes.of(&place),
            position: Position { latitude: place.latitude, longitude: place.longitude },
            counted_years: boardings.passengers(&place),
            inside,
        }
    };
    places.indexes().map(site).collect()
}

/// Reads the number of persons who work in each ZIP code.
fn workers(data: &Path) -> Result<BTreeMap<GeographyId, u32>, SourceError> {
    let mut workers = BTreeMap::new();
    for line in Table::read(&data.join("segments"), "zip_employment.csv.gz")?.lines() {
        let zip = line.id("zip", GeographyType::Zip)?;
        line.insert("zip", &mut workers, zip, line.count("employees")?)?;
    }
    Ok(workers)
}

/// Divides a number of persons into cohorts, in proportion to the weighted mean of the cohorts' shares in
/// their home ZIP codes.
fn segments(
    population: &Population,
    cells: &HashMap<GeographyIndex, Cells>,
    anytime: &[SegmentIndex],
    origins: &[(GeographyIndex, u64)],
    persons: u64,
) -> Vec<(SegmentIndex, u64)> {
    let persons = u32::try_from(persons).unwrap_or(u32::MAX);
    let homes = origins.iter().map(|(zip, visits)| (&cells[zip], *visits as f64));
    let expanded = population.expand(&cells_of(persons, &mean_shares(homes)), persons);
    anytime.iter().map(|segment| (*segment, u64::from(expanded[usize::from(segment.raw())]))).collect()
}
