//! Writes the parts that every release is built from: the geographies, the population, and the sample's
//! places with their modelled visits.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{Geographies, Part, Places, Population, Progress, RowCounts};

use super::error::SampleError;
use super::{measures, places, population};
use crate::location::Locator;

/// Writes the parts `Geographies`, `Population`, `Places`, and `Measures` into an empty folder. Returns the
/// number of rows of each kind in each part.
///
/// # Errors
///
/// Fails on the first invalid row of the source data, or if the folder can't be written.
pub(crate) fn write_base(
    data: &Path,
    out: &Path,
    progress: Progress<'_>,
) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
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
    Ok(rows)
}
