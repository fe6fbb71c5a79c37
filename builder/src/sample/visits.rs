//! Writes the sample's places with their modelled visits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dataset::{Geographies, Part, Places, Population, Progress, RowCounts};

use super::error::SampleError;
use super::sizes::Sizes;
use super::{measures, places};
use crate::location::Locator;

/// Writes the `Places` and `Measures` parts to a folder, using the existing parts for the geographies and the
/// population. Returns the row counts for each new part.
///
/// # Errors
///
/// Fails on the first invalid row in the source data, or if the folder can't be written.
pub(crate) fn write_places_and_visits(
    data: &Path,
    [geographies, population]: &[PathBuf; 2],
    out: &Path,
    progress: Progress<'_>,
) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
    let (geographies, population) =
        (Geographies::open_file(geographies)?, Population::open_file(population)?);
    let locator = Locator::of(&geographies);
    // A place with an unknown ZIP code is assigned to the nearest ZIP code.
    let nearest = |position| locator.nearest(position, None).map(|near| near.area);
    let locate = |zip: &str, position| locator.find(zip).or_else(|| nearest(position));
    let name = |area| geographies.get(area).name.to_owned();
    progress("places", 0, 1);
    let table = places::table(data)?;
    let of_places = places::write(&table, out, &locate, &name)?;
    let sizes = Sizes::read(&table)?;
    drop(table);
    progress("places", 1, 1);
    let places = Places::open_file(&out.join(Part::Places.file()))?;
    let of_measures = measures::write(data, &geographies, &population, (&places, &sizes), out, progress)?;
    Ok([(Part::Places, of_places), (Part::Measures, of_measures)].into())
}
