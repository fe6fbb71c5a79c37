//! The records of all places, in their file.

use std::path::Path;

use zerocopy::little_endian::{U32, U64};

use super::codec::{self, RecordError};
use super::record::Measure;
use crate::places::PlaceId;
use crate::release::file::{Rows, SectionFile};
use crate::release::{Folder, Part, ReleaseError};

pub(super) const IDS: &str = "ids";
pub(super) const ENDS: &str = "ends";
pub(super) const VISITS: &str = "visits";
pub(super) const RECORDS: &str = "records";

/// The records of a release.
#[derive(Clone, Debug)]
pub struct Measures {
    file: SectionFile,
    /// Ascending.
    ids: Rows<U64>,
    /// Where each record ends.
    ends: Rows<U64>,
    /// The visits of the week of each record, so that places can be sorted by them without decoding it.
    visits: Rows<U32>,
    records: Rows<u8>,
}

/// What is seen of a record without decoding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The visits of the week: 1 at least.
    pub visits: u32,
    /// Whether a model derived any of the record.
    pub modelled: bool,
}

impl Measures {
    /// Opens the records of a release; each is read when it is asked for.
    ///
    /// # Errors
    ///
    /// When the release has none, or their file is not whole.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(folder.open_part(Part::Measures)?)
    }

    /// Opens a file that no manifest describes yet.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(SectionFile::open(path)?)
    }

    pub(super) fn from_file(file: SectionFile) -> Result<Self, ReleaseError> {
        let (ids, ends) = (file.rows::<U64>(IDS)?, file.rows::<U64>(ENDS)?);
        let (visits, records) = (file.rows::<U32>(VISITS)?, file.rows(RECORDS)?);
        for (what, count) in [("records", ends.len()), ("counts of visits", visits.len())] {
            if count != ids.len() {
                return Err(file.inconsistent(format!("has {} ids and {count} {what}", ids.len())));
            }
        }
        Ok(Self { file, ids, ends, visits, records })
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the places that have a record, ascending.
    pub fn ids(&self) -> impl Iterator<Item = PlaceId> {
        self.ids.iter().map(|id| PlaceId::from_raw(id.get()))
    }

    /// Returns the visits of a week at each place that has a record, by ascending ids.
    pub fn visits(&self) -> impl Iterator<Item = (PlaceId, u32)> {
        self.ids().zip(self.visits.iter().map(|visits| visits.get()))
    }

    /// Returns the record of a place; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the record is not readable.
    pub fn get(&self, place: PlaceId) -> Result<Option<Measure>, ReleaseError> {
        let Some(at) = self.find(place) else { return Ok(None) };
        let read = self.record(at).ok_or(RecordError::OutsideTheFile).and_then(codec::decode);
        let refuse = |error| self.file.inconsistent(format!("the record of place {place}: {error}"));
        read.map(Some).map_err(refuse)
    }

    /// Returns what is seen of a place's record without decoding it; `None` when there is none.
    pub fn glance(&self, place: PlaceId) -> Option<Glance> {
        let at = self.find(place)?;
        Some(Glance { visits: self.visits[at].get(), modelled: codec::is_modelled(self.record(at)?)? })
    }

    fn find(&self, place: PlaceId) -> Option<usize> {
        self.ids.binary_search_by_key(&place.raw(), |id| id.get()).ok()
    }

    fn record(&self, at: usize) -> Option<&[u8]> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].get());
        self.records.get(usize::try_from(start).ok()?..usize::try_from(self.ends[at].get()).ok()?)
    }
}
