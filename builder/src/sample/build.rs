//! Builds the sample release.

use std::path::Path;

use dataset::{Folder, Geographies, Manifest, Part, Places, Population, Progress};

use super::error::SampleError;
use super::{about, inventory, measures, places, population};
use crate::location::Locator;
use crate::packing::{entries, write_derived, write_folder};

/// The label of the sample release.
pub const SAMPLE: &str = "sample";

/// Builds the sample release from the source data. Replaces an older release in the folder atomically. The
/// same data always produces the same bytes.
///
/// # Errors
///
/// Fails on the first invalid row of the source data, or if the folder can't be written.
pub fn build(data: &Path, out: &Path, progress: Progress<'_>) -> Result<Folder, SampleError> {
    write_folder(out, |folder| write(data, folder, progress))
}

/// Writes all parts of the release into an empty folder.
fn write(data: &Path, out: &Path, progress: Progress<'_>) -> Result<Manifest, SampleError> {
    let mut rows = population::write(data, out, progress)?;
    let geographies = Geographies::open_file(&out.join(Part::Geographies.file()))?;
    let population = Population::open_file(&out.join(Part::Population.file()))?;
    let locator = Locator::of(&geographies);
    // A place with an unknown ZIP code is assigned to the nearest ZIP code.
    let nearest = |position| locator.nearest(position, None).map(|near| near.area);
    let locate = |zip: &str, position| locator.find(zip).or_else(|| nearest(position));
    let name = |area| geographies.get(area).name.to_owned();
    progress("places", 0, 1);
    rows.insert(Part::Places, places::write(data, out, &locate, &name)?);
    progress("places", 1, 1);
    let places = Places::open_file(&out.join(Part::Places.file()))?;
    rows.insert(Part::Measures, measures::write(data, &geographies, &population, &places, out, progress)?);
    rows.extend(inventory::write(data, out, &geographies, &locator, progress)?);
    rows.extend(write_derived(out)?);
    Ok(Manifest::new(SAMPLE, entries(out, rows)?, about::provenance(), about::sources()))
}
