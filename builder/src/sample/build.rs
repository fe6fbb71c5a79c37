//! Builds the sample release.

use std::path::Path;

use dataset::{FileEntry, Folder, Geographies, Manifest, Part, Places, Population, Position, Progress};

use super::error::SampleError;
use super::places::Surroundings;
use super::{about, inventory, measures, places, population};
use crate::import::Locator;
use crate::packing::{write_derived, write_folder};

/// The label of the sample release.
pub const SAMPLE: &str = "sample";

/// Builds the sample release from the source data into a folder, all or nothing; an older release there is
/// replaced. The same data give the same bytes.
///
/// # Errors
///
/// What is wrong with which row of the source data, or with the folder.
pub fn build(data: &Path, out: &Path, progress: Progress<'_>) -> Result<Folder, SampleError> {
    write_folder(out, |folder| write(data, folder, progress))
}

/// Writes all parts into an empty folder.
fn write(data: &Path, out: &Path, progress: Progress<'_>) -> Result<Manifest, SampleError> {
    let mut rows = population::write(data, out, progress)?;
    let geographies = Geographies::open_file(&out.join(Part::Geographies.file()))?;
    let population = Population::open_file(&out.join(Part::Population.file()))?;
    let locator = Locator::of(&geographies);
    let locate = |zip: &str, position| surroundings(&locator, zip, position);
    let name = |area| geographies.get(area).name.to_owned();
    progress("places", 0, 1);
    rows.insert(Part::Places, places::write(data, out, &locate, &name)?);
    progress("places", 1, 1);
    let places = Places::open_file(&out.join(Part::Places.file()))?;
    rows.insert(Part::Measures, measures::write(data, &geographies, &population, &places, out, progress)?);
    rows.extend(inventory::write(data, out, &geographies, &locator, progress)?);
    rows.extend(write_derived(out)?);
    let files = rows.into_iter().map(|(part, rows)| Ok((part, FileEntry::of(out, part, rows)?)));
    let files = files.collect::<Result<_, _>>().map_err(SampleError::Unsummed)?;
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
