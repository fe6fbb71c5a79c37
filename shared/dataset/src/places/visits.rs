//! The weekly visits to all places, in the same order as the places.
//!
//! They're stored in a separate part, so that a search can return visits and sort by them without loading the
//! full records, which are 25 times as large.

use std::path::Path;

use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::id::PlaceId;
use super::place::PlaceIndex;
use super::table::Places;
use crate::measures::Glance;
use crate::release::file::{FileWriter, Rows, SectionFile};
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};

const ROWS: &str = "visits";

/// The weekly visits to each place in a release.
#[derive(Clone, Debug)]
pub struct VisitsByPlace(Rows<Row>);

/// The stored visits to a place.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Row {
    /// The number of weekly visits, or 0 if the place has no record.
    visits: U32,
    /// 1 if any of the record's counts are modelled, and 0 otherwise.
    modelled: u8,
}

impl VisitsByPlace {
    /// Opens the visits in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        folder.open_part(Part::Visits)?.rows(ROWS).map(Self)
    }

    /// Opens a visits file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        SectionFile::open(path)?.rows(ROWS).map(Self)
    }

    /// Returns the visits to a place, or `None` if the place has no record.
    pub fn get(&self, place: PlaceIndex) -> Option<Glance> {
        let row = self.0.get(place.raw() as usize).filter(|row| row.visits.get() > 0)?;
        Some(Glance { visits: row.visits.get(), modelled: row.modelled != 0 })
    }

    /// Returns the number of weekly visits to a place, or 0 if the place has no record.
    pub(super) fn count(&self, place: u32) -> u32 {
        self.0.get(place as usize).map_or(0, |row| row.visits.get())
    }
}

/// Writes the [`Part::Visits`] file to a folder. `record` returns the visits to a place, or `None` if the
/// place has no record. Returns the number of places that have a record.
pub fn write_visits(
    folder: &Path,
    places: &Places,
    record: impl Fn(PlaceId) -> Option<Glance>,
) -> Result<RowCounts, WriteError> {
    let (file, counts) = visits_to_file(places, record);
    file.write_part(folder, Part::Visits)?;
    Ok(counts)
}

/// Creates the visits file. Also returns the number of places that have a record.
pub(crate) fn visits_to_file(
    places: &Places,
    record: impl Fn(PlaceId) -> Option<Glance>,
) -> (FileWriter, RowCounts) {
    let rows: Vec<Row> = places.indexes().map(|place| Row::from(record(places.id(place)))).collect();
    let visited = rows.iter().filter(|row| row.visits.get() > 0).count() as u64;
    let mut file = FileWriter::default();
    file.rows(ROWS, &rows);
    (file, [("visited_places".to_owned(), visited)].into())
}

impl From<Option<Glance>> for Row {
    fn from(record: Option<Glance>) -> Self {
        let (visits, modelled) = record.map_or((0, false), |Glance { visits, modelled }| (visits, modelled));
        Self { visits: U32::new(visits), modelled: modelled.into() }
    }
}
