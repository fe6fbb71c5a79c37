//! The records of all places, in their file.

use zerocopy::little_endian::U64;

use super::codec::{self, RecordError};
use super::record::Measure;
use crate::places::PlaceId;
use crate::release::file::{Rows, SectionFile};
use crate::release::{Folder, Part, ReleaseError};

pub(super) const IDS: &str = "ids";
pub(super) const ENDS: &str = "ends";
pub(super) const RECORDS: &str = "records";

/// The records of a release.
#[derive(Clone, Debug)]
pub struct Measures {
    file: SectionFile,
    /// Ascending.
    ids: Rows<U64>,
    /// Where each record ends.
    ends: Rows<U64>,
    records: Rows<u8>,
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

    pub(super) fn from_file(file: SectionFile) -> Result<Self, ReleaseError> {
        let (ids, ends, records) = (file.rows::<U64>(IDS)?, file.rows::<U64>(ENDS)?, file.rows(RECORDS)?);
        if ids.len() == ends.len() {
            return Ok(Self { file, ids, ends, records });
        }
        Err(file.inconsistent(format!("has {} ids and {} records", ids.len(), ends.len())))
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

    /// Returns the record of a place; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the record is not readable.
    pub fn get(&self, place: PlaceId) -> Result<Option<Measure>, ReleaseError> {
        let Ok(at) = self.ids.binary_search_by_key(&place.raw(), |id| id.get()) else { return Ok(None) };
        let read = self.record(at).ok_or(RecordError::OutsideTheFile).and_then(codec::decode);
        let refuse = |error| self.file.inconsistent(format!("the record of place {place}: {error}"));
        read.map(Some).map_err(refuse)
    }

    /// Returns the visits of a week at a place; `None` when it has no readable record.
    pub fn visits(&self, place: PlaceId) -> Option<u64> {
        let at = self.ids.binary_search_by_key(&place.raw(), |id| id.get()).ok()?;
        codec::visits(self.record(at)?)
    }

    fn record(&self, at: usize) -> Option<&[u8]> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].get());
        self.records.get(usize::try_from(start).ok()?..usize::try_from(self.ends[at].get()).ok()?)
    }
}
