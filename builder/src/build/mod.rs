//! How a release is made from the source data.

mod about;
mod inventory;
mod measures;
pub mod places;
pub mod population;
mod table;

use std::path::Path;

use crate::import::Locator;
use dataset::Progress;
use dataset::file::SectionFile;
use dataset::folder::file_entry;
use dataset::{Geographies, Manifest, Part, Places, Population, Position};

use places::Surroundings;

/// The label of the sample release.
pub const SAMPLE: &str = "sample";

/// Builds the sample release from the source data, into an empty folder; the same data give the same bytes.
///
/// # Errors
///
/// What is wrong with which row of the source data, or with the folder.
pub fn build(data: &Path, out: &Path, progress: Progress<'_>) -> Result<Manifest, String> {
    let mut rows = population::write(data, out, progress)?;
    let open = |part: Part| SectionFile::open(&out.join(part.file())).map_err(|error| error.to_string());
    let geographies = Geographies::from_file(&open(Part::Geographies)?).map_err(|error| error.to_string())?;
    let population = Population::from_file(&open(Part::Population)?).map_err(|error| error.to_string())?;
    let locator = Locator::of(&geographies);
    let locate = |zip: &str, latitude, longitude| surroundings(&locator, zip, Position { latitude, longitude });
    let name = |area| geographies.get(area).name.to_owned();
    progress("places", 0, 1);
    rows.insert(Part::Places, places::write(data, &locate, &name, &out.join(Part::Places.file()))?);
    progress("places", 1, 1);
    let places = Places::from_file(&open(Part::Places)?).map_err(|error| error.to_string())?;
    let measures = out.join(Part::Measures.file());
    rows.insert(Part::Measures, measures::write(data, &geographies, &population, &places, &measures, progress)?);
    rows.extend(inventory::write(data, out, &geographies, &locator, progress)?);
    let files = rows.into_iter().map(|(part, rows)| Ok((part, file_entry(out, part, rows)?)));
    let files = files.collect::<Result<_, std::io::Error>>().map_err(|error| error.to_string())?;
    Ok(Manifest::new(SAMPLE, files, about::provenance(), about::sources()))
}

/// Finds what a place lies in: by its ZIP code, or by the nearest one where its own is unknown.
fn surroundings(locator: &Locator, zip: &str, position: Position) -> Surroundings {
    let area = locator.find(zip).or_else(|| locator.nearest(position, None).map(|near| near.area));
    area.map_or_else(Surroundings::default, |area| Surroundings {
        county: area.county,
        cbsa: area.cbsa,
        dma: area.dma,
        zip: Some(area.index),
    })
}
