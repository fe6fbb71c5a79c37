//! Writes the records.

use std::path::Path;

use zerocopy::little_endian::{U32, U64};

use super::codec;
use super::error::MeasuresWriteError;
use super::record::Measure;
use super::table::{ENDS, IDS, RECORDS, VISITS};
use crate::places::PlaceId;
use crate::release::file::FileWriter;
use crate::release::{Part, RowCounts, WriteError};

/// Puts the file of the records together; each is taken in its compact form at once.
#[derive(Debug, Default)]
pub struct MeasuresWriter {
    ids: Vec<U64>,
    ends: Vec<U64>,
    visits: Vec<U32>,
    records: Vec<u8>,
}

impl MeasuresWriter {
    /// Adds a record. The places come in ascending order.
    ///
    /// # Errors
    ///
    /// When the place is not behind the one before, or the record cannot be true.
    pub fn push(&mut self, place: PlaceId, measure: &Measure) -> Result<(), MeasuresWriteError> {
        if let Some(last) = self.ids.last().map(|id| PlaceId::from_raw(id.get()))
            && last >= place
        {
            return Err(MeasuresWriteError::Order { place, last });
        }
        measure.check().map_err(|error| MeasuresWriteError::Record { place, error })?;
        self.records.extend(codec::encode(measure));
        self.ids.push(U64::new(place.raw()));
        let visits = u32::try_from(measure.visits()).expect("a record that passes its check has fewer");
        self.visits.push(U32::new(visits));
        self.ends.push(U64::new(self.records.len() as u64));
        Ok(())
    }

    /// Writes the part `Measures` into a folder.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(self, folder: &Path) -> Result<RowCounts, MeasuresWriteError> {
        let count = self.ids.len() as u64;
        let mut file = FileWriter::default();
        file.rows(IDS, &self.ids);
        file.rows(ENDS, &self.ends);
        file.rows(VISITS, &self.visits);
        file.bytes(RECORDS, self.records);
        let path = folder.join(Part::Measures.file());
        file.write(&path).map_err(|source| WriteError::new(path.display().to_string(), source))?;
        Ok([("measures".to_owned(), count)].into())
    }
}
