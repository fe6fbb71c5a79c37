//! The data source and vintage of each record in a part.
//!
//! A part stores each distinct source once, and records refer to sources by number.

use provenance::RecordSource;
use serde::{Deserialize, Serialize};

use crate::index::{ColumnWriter, Indexing, Normalization, TextColumn};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

const SECTION: &str = "source";

/// Formats a source as its vintage, a space, and its name. A vintage never contains spaces, so it ends at the
/// first one.
fn to_text(source: &RecordSource) -> String {
    format!("{} {}", source.vintage, source.name)
}

fn of_text(text: &str) -> Option<RecordSource> {
    let (vintage, name) = text.split_once(' ')?;
    Some(RecordSource { name: name.to_owned(), vintage: vintage.to_owned() })
}

/// The data sources of a part's records.
#[derive(Clone, Debug)]
pub(crate) struct RecordSources(TextColumn);

impl RecordSources {
    /// Opens the source column of a part. `records` is the number of records in the part.
    pub(crate) fn open(file: &SectionFile, records: usize) -> Result<Self, ReleaseError> {
        Ok(Self(TextColumn::open(file, SECTION, Normalization::AsIs, Indexing::Stored, records)?))
    }

    /// Returns the source of a record. The record must exist.
    pub(crate) fn get(&self, record: u32) -> RecordSource {
        let source = self.0.get(record).and_then(of_text);
        source.expect("a verified release has a source for every record")
    }

    /// Returns the distinct sources of the given records, in order of first occurrence.
    pub(crate) fn used(&self, records: impl Iterator<Item = u32>) -> Vec<RecordSource> {
        let (mut seen, mut used) = (Vec::new(), Vec::new());
        for record in records {
            let source = self.0.ordinal(record);
            if !seen.contains(&source) {
                seen.push(source);
                used.push(self.get(record));
            }
        }
        used
    }
}

/// Collects the sources of records, in the order in which the records are pushed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecordSourcesWriter(ColumnWriter);

impl RecordSourcesWriter {
    pub(crate) fn push(&mut self, source: &RecordSource) {
        self.0.push(Some(&to_text(source)));
    }

    /// Appends the sources of the given records from another writer.
    pub(crate) fn append(&mut self, other: &Self, records: &[u32]) {
        self.0.append(&other.0, records);
    }

    /// Writes the sources in the given order of the records.
    pub(crate) fn write(self, file: &mut FileWriter, order: impl Iterator<Item = u32>) {
        self.0.sorted(Normalization::AsIs, order).write(file, SECTION, Indexing::Stored);
    }
}
