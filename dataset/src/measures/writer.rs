use std::collections::BTreeMap;
use std::path::Path;

use zerocopy::little_endian::U64;

use super::{ENDS, IDS, Measure, RECORDS, codec};
use crate::PlaceId;
use crate::file::FileWriter;

/// Puts the file of the records together; each is taken in its compact form at once.
#[derive(Debug, Default)]
pub struct MeasuresWriter {
    ids: Vec<U64>,
    ends: Vec<U64>,
    records: Vec<u8>,
}

impl MeasuresWriter {
    /// Adds a record. The places come in ascending order.
    pub fn push(&mut self, place: PlaceId, measure: &Measure) -> Result<(), String> {
        if let Some(last) = self.ids.last().map(|id| id.get())
            && last >= place.raw()
        {
            return Err(format!(
                "place {place} follows place {last}; records are written in ascending order of their ids"
            ));
        }
        measure.check().map_err(|error| format!("the record of place {place}: {error}"))?;
        self.records.extend(codec::encode(measure));
        self.ids.push(U64::new(place.raw()));
        self.ends.push(U64::new(self.records.len() as u64));
        Ok(())
    }

    /// Writes the file and returns its row counts.
    pub fn write(self, path: &Path) -> Result<BTreeMap<String, u64>, String> {
        let count = self.ids.len() as u64;
        let mut file = FileWriter::default();
        file.rows(IDS, &self.ids);
        file.rows(ENDS, &self.ends);
        file.bytes(RECORDS, self.records);
        file.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(BTreeMap::from([("measures".to_owned(), count)]))
    }
}
