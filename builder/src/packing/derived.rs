//! Writes a release's derived parts.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::inventory::Inventory;
use dataset::places::write_visits;
use dataset::population::write_national;
use dataset::tiles::{self, LayerSource};
use dataset::{Geographies, Measures, Part, Places, Population, RowCounts, exposures, known_ids};

use super::error::PackError;

/// The parts that are derived from other parts of the same release. Each release derives them again instead
/// of copying them from an older release.
pub const DERIVED_PARTS: [Part; 6] = [
    Part::KnownIds,
    Part::Exposures,
    Part::NationalPopulation,
    Part::Visits,
    Part::DisplayTiles,
    Part::PlaceTiles,
];

/// Derives the [`DERIVED_PARTS`] from the other parts in a folder. Returns the row counts for each derived
/// part.
pub(crate) fn write_derived(folder: &Path) -> Result<BTreeMap<Part, RowCounts>, PackError> {
    let file = |part: Part| folder.join(part.file());
    let inventory = Inventory::open_file(&file(Part::Inventory))?;
    let places = Places::open_file(&file(Part::Places))?;
    let measures = Measures::open_file(&file(Part::Measures))?;
    let population = Population::open_file(&file(Part::Population))?;
    let geographies = Geographies::open_file(&file(Part::Geographies))?;
    let ((known_ids, exposures, national, visits), (displays, visited)) = rayon::join(
        || {
            (
                known_ids::write(folder, &inventory, &places, &population),
                exposures::write(folder, &inventory, &geographies),
                write_national(folder, &population),
                write_visits(folder, &places, |place| measures.glance(place)),
            )
        },
        || {
            rayon::join(
                || tiles::write(folder, LayerSource::Faces(&inventory)),
                || tiles::write(folder, LayerSource::Places(&places, &measures)),
            )
        },
    );
    Ok(BTreeMap::from([
        (Part::KnownIds, known_ids?),
        (Part::Exposures, exposures?),
        (Part::NationalPopulation, national?),
        (Part::Visits, visits?),
        (Part::DisplayTiles, displays?),
        (Part::PlaceTiles, visited?),
    ]))
}
