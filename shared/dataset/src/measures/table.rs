//! The visit records of all places, read from their file.

use std::path::Path;
use std::sync::Arc;

use zerocopy::little_endian::{U32, U64};

use super::codec::{self, RecordError};
use super::predictor::Predictor;
use super::record::Measure;
use crate::places::PlaceId;
use crate::release::file::{Rows, Runs, SectionFile};
use crate::release::{Folder, Part, ReleaseError};

pub(super) const IDS: &str = "ids";
pub(super) const VISITS: &str = "visits";
pub(super) const PREDICTOR: &str = "predictor";
pub(super) const RECORDS: &str = "records";

/// The visit records in a release.
#[derive(Clone, Debug)]
pub struct Measures {
    file: SectionFile,
    /// The IDs of the places, in ascending order.
    ids: Rows<U64>,
    /// The weekly visits in each record. They're stored separately so that places can be sorted by visits
    /// without decoding records.
    visits: Rows<U32>,
    /// The predictor that was used to encode the records.
    predictor: Arc<Predictor>,
    records: Runs,
}

/// The figures that can be read without decoding the whole record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The number of visits per week, at least 1.
    pub visits: u32,
    /// Whether any of the record's counts are modelled.
    pub modelled: bool,
}

impl Measures {
    /// Opens the visit records in a release folder. Each record is decoded on request.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(folder.open_part(Part::Measures)?)
    }

    /// Opens a file of visit records that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(SectionFile::open(path)?)
    }

    pub(super) fn from_file(file: SectionFile) -> Result<Self, ReleaseError> {
        let (ids, visits) = (file.rows(IDS)?, file.rows(VISITS)?);
        let records = Runs::open(&file, RECORDS)?;
        let predictor = postcard::from_bytes(&file.rows::<u8>(PREDICTOR)?);
        let predictor = predictor.map_err(|_| file.inconsistent("has a predictor that cannot be read"))?;
        Ok(Self { file, ids, visits, predictor: Arc::new(predictor), records })
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the IDs of the places that have a record, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = PlaceId> {
        self.ids.iter().map(|id| PlaceId::from_raw(id.get()))
    }

    /// Returns the weekly visits to each place that has a record, sorted by place ID.
    pub fn visits(&self) -> impl Iterator<Item = (PlaceId, u32)> {
        self.ids().zip(self.visits.iter().map(|visits| visits.get()))
    }

    /// Returns the record of a place, or `None` if it doesn't have one.
    ///
    /// # Errors
    ///
    /// Returns an error if the record can't be decoded.
    pub fn get(&self, place: PlaceId) -> Result<Option<Measure>, ReleaseError> {
        let Some(at) = self.find(place) else { return Ok(None) };
        let stored = self.record(at).ok_or(RecordError::OutsideTheFile);
        let read = stored.and_then(|record| codec::decode(record, self.visits[at].get(), &self.predictor));
        let refuse = |error| self.file.inconsistent(format!("the record for place {place}: {error}"));
        read.map(Some).map_err(refuse)
    }

    /// Returns the figures that can be read without decoding a place's record. Returns `None` if the place
    /// has no record or the record is unreadable.
    pub fn glance(&self, place: PlaceId) -> Option<Glance> {
        let at = self.find(place)?;
        Some(Glance { visits: self.visits[at].get(), modelled: codec::is_modelled(self.record(at)?)? })
    }

    fn find(&self, place: PlaceId) -> Option<usize> {
        self.ids.binary_search_by_key(&place.raw(), |id| id.get()).ok()
    }

    fn record(&self, at: usize) -> Option<&[u8]> {
        Some(self.records.get(at)).filter(|record| !record.is_empty())
    }
}
