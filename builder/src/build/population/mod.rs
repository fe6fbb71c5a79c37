//! Geographies and population at home: who lives where, from counts of counties.
//!
//! A county's persons divide by the shares of the survey of it. States, metropolitan areas and the nation are sums of
//! counties, markets too, but for ZIP codes that lie in another market than their county. A ZIP code gets a part of
//! its county.

mod areas;
mod people;
mod residents;
mod sources;
mod zips;

use std::collections::BTreeMap;
use std::path::Path;

use self::areas::Areas;
use self::sources::Sources;
use dataset::Progress;
use dataset::cohorts::{CATALOGUE, expand};
use dataset::{GeographyType, Part, geographies, population};

/// Writes the files of the geographies and of the population, and returns how many rows of each kind they hold.
///
/// # Errors
///
/// The first source row that cannot be right, with its table, line and reason; or a file that cannot be read or written.
pub fn write(data: &Path, out: &Path, progress: Progress<'_>) -> Result<BTreeMap<Part, BTreeMap<String, u64>>, String> {
    progress("geographies", 0, 1);
    let areas = Areas::count(&Sources::read(data)?);
    let failed = |part: Part| move |error: std::io::Error| format!("{}: {error}", part.file());
    geographies::write(&out.join(Part::Geographies.file()), areas.geographies()).map_err(failed(Part::Geographies))?;
    progress("geographies", 1, 1);

    let columns = columns(&areas, progress);
    population::write(&out.join(Part::Population.file()), CATALOGUE, &columns).map_err(failed(Part::Population))?;
    Ok(BTreeMap::from([
        (Part::Geographies, counts(&areas)),
        (
            Part::Population,
            BTreeMap::from([
                ("segments".to_owned(), CATALOGUE.len() as u64),
                ("geographies".to_owned(), areas.iter().len() as u64),
            ]),
        ),
    ]))
}

/// Returns the persons of every cohort in every area, a column per cohort.
fn columns(areas: &Areas, progress: Progress<'_>) -> Vec<Vec<u32>> {
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

/// Returns how many geographies of each type there are.
fn counts(areas: &Areas) -> BTreeMap<String, u64> {
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
