//! Whether the parts of a release agree.

use crate::geographies::Geographies;
use crate::inventory::{Inventory, SpotCounts};
use crate::known_ids::KnownIds;
use crate::measures::Measures;
use crate::places::Places;
use crate::population::{NationalPopulation, Population};
use crate::release::{Folder, Part, ReleaseError};
use crate::tiles::{self, LayerSource};

/// Holds the files of a release to each other: every reference leads somewhere, and every sum is right.
///
/// # Errors
///
/// The first file that contradicts itself or another one.
pub fn check(folder: &Folder) -> Result<(), ReleaseError> {
    let geographies = Geographies::open(folder)?;
    geographies.check()?;
    let population = Population::open(folder)?;
    population.check(&geographies)?;
    NationalPopulation::open(folder)?.check(&population)?;
    let places = Places::open(folder)?;
    places.check(geographies.len())?;
    let measures = Measures::open(folder)?;
    check_measures(&measures, &places, geographies.len(), population.segments().count())?;
    let inventory = Inventory::open(folder)?;
    inventory.check()?;
    SpotCounts::open(folder)?.check(geographies.len())?;
    KnownIds::open(folder)?.check(&inventory, &places, &population)?;
    tiles::check(folder, LayerSource::Faces(&inventory))?;
    tiles::check(folder, LayerSource::Places(&places, &measures))
}

/// Reads every record, and looks up what it is about.
fn check_measures(
    measures: &Measures,
    places: &Places,
    geographies: usize,
    segments: usize,
) -> Result<(), ReleaseError> {
    for place in measures.ids() {
        let refuse = |reason: &str| {
            ReleaseError::inconsistent(Part::Measures.file(), format!("place {place}: {reason}"))
        };
        if places.find(place).is_none() {
            return Err(refuse("has a record, and is not among the places"));
        }
        let measure = measures.get(place)?.ok_or_else(|| refuse("its record is gone"))?;
        let seen = measures.glance(place).map(|record| (u64::from(record.visits), record.modelled));
        if seen != Some((measure.visits(), measure.modelled)) {
            return Err(refuse("its visits are not those of its record"));
        }
        if measure.origins.iter().any(|(zip, _)| zip.raw() as usize >= geographies) {
            return Err(refuse("has visitors from a geography that does not exist"));
        }
        if measure.segments.iter().any(|(segment, _)| usize::from(segment.raw()) >= segments) {
            return Err(refuse("has visitors of a cohort that does not exist"));
        }
    }
    Ok(())
}
