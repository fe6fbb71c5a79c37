//! Checks that the parts of a release are consistent with each other.
//!
//! Only references, derived files, and visit records are checked. For all other contents, the digests are
//! sufficient, because they show that a file hasn't changed since it was written.

use crate::base_map::BaseMap;
use crate::exposures;
use crate::geographies::Geographies;
use crate::inventory::{Inventory, SpotCounts};
use crate::known_ids;
use crate::measures::Measures;
use crate::places::{Places, visits_to_file};
use crate::population::{Population, national_to_file};
use crate::release::{Folder, Part, ReleaseError};
use crate::tiles::{self, LayerSource};

/// Checks that every reference between the files of a release resolves, and that every derived file matches
/// the parts that it's derived from. The files' digests must already be verified.
///
/// # Errors
///
/// Returns an error for the first file that can't be opened or that contradicts another file.
pub fn check(folder: &Folder) -> Result<(), ReleaseError> {
    BaseMap::open(folder)?;
    let areas = Geographies::open(folder)?;
    let geographies = areas.len();
    let population = Population::open(folder)?;
    if population.geographies != geographies {
        let reason = format!("has {} geographies, but the release has {geographies}", population.geographies);
        return Err(ReleaseError::inconsistent(Part::Population.file(), reason));
    }
    let places = Places::open(folder)?;
    places.check(geographies)?;
    let measures = Measures::open(folder)?;
    check_measures(&measures, &places, geographies, population.segments().count())?;
    let inventory = Inventory::open(folder)?;
    SpotCounts::open(folder)?.check(geographies)?;
    folder.check_derived(Part::KnownIds, &known_ids::to_file(&inventory, &places, &population).0)?;
    folder.check_derived(Part::Exposures, &exposures::to_file(&inventory, &areas).0)?;
    folder.check_derived(Part::NationalPopulation, &national_to_file(&population))?;
    folder.check_derived(Part::Visits, &visits_to_file(&places, |place| measures.glance(place)).0)?;
    tiles::check(folder, LayerSource::Faces(&inventory))?;
    tiles::check(folder, LayerSource::Places(&places, &measures))
}

/// Decodes every place's visit record, and checks that its place, geographies, and cohorts exist. The figures
/// that [`Measures::glance`] reads without decoding must equal the decoded ones.
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
            return Err(refuse("has a record, but is not in places.bin"));
        }
        let measure = measures.get(place)?.ok_or_else(|| refuse("its record is missing"))?;
        let seen = measures.glance(place).map(|record| (u64::from(record.visits), record.modelled));
        if seen != Some((measure.visits(), measure.modelled)) {
            return Err(refuse("its stored visits differ from its record"));
        }
        if measure.origins.iter().any(|(zip, _)| zip.raw() as usize >= geographies) {
            return Err(refuse("has visitors from an unknown geography"));
        }
        if measure.segments.iter().any(|(segment, _)| usize::from(segment.raw()) >= segments) {
            return Err(refuse("has visitors from an unknown cohort"));
        }
    }
    Ok(())
}
