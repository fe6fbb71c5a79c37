//! Compares two releases: displays by spot ID, and places and their measures by place ID.
//!
//! Files with the same digest aren't read. In the other files, identical displays are recognized by their
//! JSON, and only the remaining displays are compared member by member.

mod areas;
mod difference;
mod displays;
mod matching;
mod measures;
mod places;
mod sources;
mod text;

use std::collections::BTreeSet;

use dataset::inventory::Inventory;
use dataset::{Folder, Part, Progress, ReleaseError};

use displays::Displays;
use matching::Comparison;
use measures::PlaceMeasures;
use places::PlaceRecords;

pub use difference::{Change, Difference, Kind, Row, SourceDifference};

/// The distance above which a change in position is reported as a move, in kilometers.
pub const MOVED_KM: f64 = 1.0;

/// Compares two releases whose files match their manifests. If `details` is set, the result also lists every
/// record that was added, changed, or removed.
///
/// # Errors
///
/// Fails if a file in either release can't be read or is invalid.
pub fn compare(
    old: &Folder,
    new: &Folder,
    details: bool,
    progress: Progress<'_>,
) -> Result<Difference, ReleaseError> {
    compare_except(&BTreeSet::new(), old, new, details, progress)
}

/// Compares two releases like [`compare`], but only counts the displays from the sources named in
/// `unchanged`, because they're the same in both releases.
pub(crate) fn compare_except(
    unchanged: &BTreeSet<String>,
    old: &Folder,
    new: &Folder,
    details: bool,
    progress: Progress<'_>,
) -> Result<Difference, ReleaseError> {
    let comparison = Comparison { old: old.manifest(), new: new.manifest(), details, progress };
    let differs = |parts: &[Part]| differs(old, new, parts);
    let mut difference = Difference {
        geographies_differ: differs(&[Part::Geographies])?,
        population_differs: differs(&[Part::Population])?,
        ..Difference::default()
    };
    if differs(&[Part::Inventory])? {
        let displays = Displays { old: Inventory::open(old)?, new: Inventory::open(new)? };
        difference.extend(comparison.run(&displays, unchanged)?);
    }
    // Places and measures refer to geographies and cohorts by index, so compare them even if only those parts
    // differ.
    if differs(&[Part::Places, Part::Geographies])? {
        difference.extend(comparison.run(&PlaceRecords::open(old, new)?, &BTreeSet::new())?);
    }
    if differs(&[Part::Measures, Part::Geographies, Part::Population])? {
        difference.extend(comparison.run(&PlaceMeasures::open(old, new)?, &BTreeSet::new())?);
    }
    Ok(difference)
}

/// Returns whether any of the given parts differs between two releases.
fn differs(old: &Folder, new: &Folder, parts: &[Part]) -> Result<bool, ReleaseError> {
    for part in parts {
        if old.manifest().file(*part)?.sha256 != new.manifest().file(*part)?.sha256 {
            return Ok(true);
        }
    }
    Ok(false)
}
