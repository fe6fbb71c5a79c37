//! Builds the geographies and the resident population from county counts and surveys by ZIP code.
//!
//! A part is the overlap of a ZIP code and a county. The residents of a county's parts add up to the county's
//! counts by sex and age, and their proportions are close to those that surveys found in the ZIP codes. Each
//! area's residents are the sum of its parts.
//!
//! See `docs/decisions/0013-whole-figures.md`.

mod areas;
mod fit;
mod incomes;
mod parts;
mod people;
mod residents;
mod sources;

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{GeographyType, Part, Progress, RowCounts, geographies, population};

use self::areas::Areas;
use self::people::People;
use self::sources::Sources;
use super::error::SampleError;
use crate::cohorts::{CATALOGUE, expand};

/// Writes the `Geographies` and `Population` parts. Returns the row counts for each part.
///
/// # Errors
///
/// Fails on the first invalid row in a source table, or if a file can't be read or written.
pub fn write(
    data: &Path,
    out: &Path,
    progress: Progress<'_>,
) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
    progress("geographies", 0, 1);
    let sources = Sources::read(&data.join("geographies"))?;
    let people = People::read(&data.join("segments"), &sources)?;
    let areas = Areas::count(&sources, &parts::parts(&sources, &people)?);
    geographies::write(out, areas.geographies())?;
    progress("geographies", 1, 1);
    population::write(out, CATALOGUE, &columns(&areas, progress))?;
    let rows = |kind: &str, count: usize| (kind.to_owned(), count as u64);
    let population = [rows("segments", CATALOGUE.len()), rows("geographies", areas.iter().len())].into();
    Ok([(Part::Geographies, counts(&areas)), (Part::Population, population)].into())
}

/// Returns one column per cohort, with the number of persons in each area.
fn columns(areas: &Areas<'_>, progress: Progress<'_>) -> Vec<Vec<u32>> {
    let total = areas.iter().len();
    let mut columns: Vec<Vec<u32>> = CATALOGUE.iter().map(|_| Vec::with_capacity(total)).collect();
    for (done, area) in areas.iter().enumerate() {
        let persons = expand(&area.residents.cells, area.residents.persons);
        columns.iter_mut().zip(persons).for_each(|(column, persons)| column.push(persons));
        if done % 1_000 == 0 {
            progress("population", done as u64, total as u64);
        }
    }
    progress("population", total as u64, total as u64);
    columns
}

/// Returns the number of geographies of each type.
fn counts(areas: &Areas<'_>) -> RowCounts {
    let name = |geography_type| match geography_type {
        GeographyType::Nation => "nations",
        GeographyType::State => "states",
        GeographyType::County => "counties",
        GeographyType::Dma => "dmas",
        GeographyType::Msa => "metropolitan_areas",
        GeographyType::Micropolitan => "micropolitan_areas",
        GeographyType::Zip => "zips",
    };
    GeographyType::ALL.map(|kind| (name(kind).to_owned(), areas.of_type(kind) as u64)).into()
}
