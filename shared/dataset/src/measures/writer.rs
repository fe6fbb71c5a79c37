//! Writes the visit records of places.

use std::path::Path;

use zerocopy::little_endian::{U32, U64};

use super::codec;
use super::error::MeasuresWriteError;
use super::predictor::Predictor;
use super::record::Measure;
use super::table::{IDS, PREDICTOR, RECORDS, VISITS};
use super::training::{ListCounts, Training, by_visits};
use crate::places::PlaceId;
use crate::release::file::{FileWriter, Runs};
use crate::release::{Part, RowCounts};

/// Collects records and then writes their file. Each record is encoded when it's added, and encoded more
/// compactly when all records are known.
#[derive(Debug, Default)]
pub struct MeasuresWriter {
    ids: Vec<U64>,
    visits: Vec<U32>,
    /// The records, encoded with [`Predictor::blank`] until the file is written.
    records: Vec<Box<[u8]>>,
    met: ListCounts,
}

impl MeasuresWriter {
    /// Adds the record of a place. Places must be added in ascending order of their IDs.
    ///
    /// # Errors
    ///
    /// Returns an error if the places are out of order, or if the record doesn't pass [`Measure::check`].
    pub fn push(&mut self, place: PlaceId, measure: &Measure) -> Result<(), MeasuresWriteError> {
        if let Some(last) = self.ids.last().map(|id| PlaceId::from_raw(id.get()))
            && last >= place
        {
            return Err(MeasuresWriteError::Order { place, last });
        }
        measure.check().map_err(|error| MeasuresWriteError::Record { place, error })?;
        self.met.meet(measure);
        self.records.push(codec::encode(measure, &Predictor::blank(), 0).into());
        self.ids.push(U64::new(place.raw()));
        let visits = u32::try_from(measure.visits()).expect("a checked record has at most `MOST` visits");
        self.visits.push(U32::new(visits));
        Ok(())
    }

    /// Writes the [`Part::Measures`] file to a folder, and returns the number of records.
    pub fn write(mut self, folder: &Path) -> Result<RowCounts, MeasuresWriteError> {
        let count = self.ids.len() as u64;
        let predictor = self.shorten();
        let mut file = FileWriter::default();
        file.rows(IDS, &self.ids);
        file.rows(VISITS, &self.visits);
        file.bytes(PREDICTOR, postcard::to_allocvec(&predictor).expect("writing to memory doesn't fail"));
        Runs::write(&mut file, RECORDS, self.records.iter().map(|record| &**record));
        file.write_part(folder, Part::Measures)?;
        Ok([("measures".to_owned(), count)].into())
    }

    /// Trains a predictor and uses it to re-encode all records.
    fn shorten(&mut self) -> Predictor {
        let blank = Predictor::blank();
        let record = |bytes: &[u8], visits: U32| {
            codec::decode(bytes, visits.get(), &blank).expect("the record was just encoded")
        };
        let mut training = Training::new(std::mem::take(&mut self.met).usual());
        let mut profiles = vec![0; self.records.len()];
        for at in by_visits(self.visits.iter().map(|visits| visits.get())) {
            profiles[at] = training.learn(&record(&self.records[at], self.visits[at]));
        }
        let predictor = training.predictor();
        for ((bytes, visits), profile) in self.records.iter_mut().zip(&self.visits).zip(profiles) {
            *bytes = codec::encode(&record(bytes, *visits), &predictor, profile).into();
        }
        predictor
    }
}
