//! The IDs in a release, read from their file.

use std::path::Path;

use uuid::Uuid;
use zerocopy::little_endian::U32;

use crate::inventory::Inventory;
use crate::places::{PlaceId, Places};
use crate::population::{MAX_COMPONENTS, Population, SEPARATOR};
use crate::release::file::{FileWriter, Rows, SectionFile};
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};

/// The kind of record that an ID refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdKind {
    /// A spot in the inventory. The API calls its ID a display ID.
    Display,
    Place,
    Cohort,
}

/// The IDs of all displays, places, and cohorts in a release.
///
/// Display IDs are stored in full. Place and cohort IDs are reduced to 32 bits, so an unknown ID can be
/// mistaken for a known one. The probability is the number of IDs divided by 2^32. That's 1 in 4,300 for a
/// million places, and 1 in 40 million for a hundred cohorts.
#[derive(Clone, Debug)]
pub struct KnownIds([Rows<U32>; IdKind::ALL.len()]);

impl IdKind {
    const ALL: [Self; 3] = [Self::Display, Self::Place, Self::Cohort];

    /// Returns the section that contains the IDs of this kind.
    fn section(self) -> &'static str {
        match self {
            Self::Display => "displays",
            Self::Place => "places",
            Self::Cohort => "cohorts",
        }
    }

    /// Returns the 32 bits that are stored for an ID, or `None` if the string isn't an ID of this kind.
    fn bits(self, id: &str) -> Option<u32> {
        match self {
            // `parse` also accepts a leading plus sign, so check for digits first.
            Self::Display => id.bytes().all(|byte| byte.is_ascii_digit()).then(|| id.parse().ok())?,
            Self::Place => id.parse().ok().map(of_place),
            Self::Cohort => id.parse().ok().map(of_cohort),
        }
    }
}

impl KnownIds {
    /// Opens the IDs in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::KnownIds)?)
    }

    fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let [displays, places, cohorts] = IdKind::ALL.map(|kind| file.rows(kind.section()));
        Ok(Self([displays?, places?, cohorts?]))
    }

    /// Returns whether an ID is unknown. Returns false if the release has no IDs of this kind. The ID of a
    /// composed cohort is known if all cohorts in it are known.
    pub fn lacks(&self, kind: IdKind, id: &str) -> bool {
        let known = &*self.0[kind as usize];
        let has = |bits: u32| known.binary_search_by_key(&bits, |id| id.get()).is_ok();
        let is_known = |id: &str| kind.bits(id).is_some_and(has);
        let is_composed = |id: &str| {
            let components = || id.split(SEPARATOR);
            kind == IdKind::Cohort && components().count() <= MAX_COMPONENTS && components().all(is_known)
        };
        !known.is_empty() && !is_known(id) && !is_composed(id)
    }
}

/// Writes the [`Part::KnownIds`] file to a folder, and returns the number of IDs of each kind.
pub fn write(
    folder: &Path,
    inventory: &Inventory,
    places: &Places,
    population: &Population,
) -> Result<RowCounts, WriteError> {
    let (file, counts) = to_file(inventory, places, population);
    file.write_part(folder, Part::KnownIds)?;
    Ok(counts)
}

/// Creates the file, which contains the distinct IDs of each kind as sorted 32-bit numbers. Also returns the
/// number of IDs of each kind.
pub(crate) fn to_file(
    inventory: &Inventory,
    places: &Places,
    population: &Population,
) -> (FileWriter, RowCounts) {
    let (mut file, mut counts) = (FileWriter::default(), RowCounts::new());
    let of_kinds = [
        ascending(inventory.indexes().map(|spot| inventory.id(spot).raw())),
        ascending(places.indexes().map(|place| of_place(places.id(place)))),
        ascending(population.segments().map(|segment| of_cohort(segment.id))),
    ];
    for (kind, ids) in IdKind::ALL.into_iter().zip(of_kinds) {
        file.rows(kind.section(), &ids);
        counts.insert(kind.section().to_owned(), ids.len() as u64);
    }
    (file, counts)
}

fn ascending(ids: impl Iterator<Item = u32>) -> Vec<U32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(U32::new).collect()
}

/// Returns the low 32 bits of a place ID. These bits are random in derived IDs, and usually consecutive in a
/// data source's own IDs.
fn of_place(id: PlaceId) -> u32 {
    (id.raw() & u64::from(u32::MAX)) as u32
}

/// Reduces a cohort ID to 32 bits by combining its four 32-bit words with XOR.
fn of_cohort(id: Uuid) -> u32 {
    let (words, _) = id.as_bytes().as_chunks();
    words.iter().fold(0, |normalized, word| normalized ^ u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COHORT: &str = "5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887";

    /// Writes and opens a file with the given IDs.
    fn known(displays: &[u32], places: &[u64], cohorts: &[&str]) -> KnownIds {
        let mut file = FileWriter::default();
        file.rows("displays", &ascending(displays.iter().copied()));
        file.rows("places", &ascending(places.iter().map(|id| of_place(PlaceId::from_raw(*id)))));
        let cohorts = cohorts.iter().map(|id| of_cohort(id.parse().expect("the id is valid")));
        file.rows("cohorts", &ascending(cohorts));
        KnownIds::from_file(&file.opened()).expect("the file was just written")
    }

    #[test]
    fn lacks_unknown_ids_of_a_kind_with_known_ids() {
        let known = known(&[u32::MAX, 7], &[825_250_465_966, 1], &[COHORT]);
        for (kind, id, lacks) in [
            (IdKind::Display, "7", false),
            (IdKind::Display, "4294967295", false),
            (IdKind::Display, "8", true),
            (IdKind::Display, "", true),
            (IdKind::Place, "825250465966", false),
            (IdKind::Place, "1", false),
            (IdKind::Place, "825250465967", true),
            (IdKind::Cohort, COHORT, false),
            (IdKind::Cohort, "5e6f0c1a-1001-5b7e-9d2a-3c4b5a697888", true),
            (IdKind::Cohort, "7", true),
        ] {
            assert_eq!(known.lacks(kind, id), lacks, "{kind:?} {id:?}");
        }
    }

    #[test]
    fn lacks_no_ids_of_a_kind_without_known_ids() {
        let known = known(&[7], &[], &[]);
        assert!(!known.lacks(IdKind::Place, "banana") && !known.lacks(IdKind::Cohort, "x"));
        assert!(known.lacks(IdKind::Display, "banana"));
    }
}
