//! Whose data is each record of a part, and of which day?
//!
//! A part keeps its sources once, and with each record the number of one of them.

use provenance::RecordSource;

use crate::index::{ColumnWriter, Folding, Indexing, TextColumn};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

const SECTION: &str = "source";

/// Writes a source as a part keeps it: no vintage has a space.
fn to_text(source: &RecordSource) -> String {
    format!("{} {}", source.vintage, source.name)
}

fn of_text(text: &str) -> Option<RecordSource> {
    let (vintage, name) = text.split_once(' ')?;
    Some(RecordSource { name: name.to_owned(), vintage: vintage.to_owned() })
}

/// The sources of the records of a part.
#[derive(Clone, Debug)]
pub(crate) struct RecordSources(TextColumn);

impl RecordSources {
    /// Opens the sources of so many records.
    pub(crate) fn open(file: &SectionFile, records: usize) -> Result<Self, ReleaseError> {
        Ok(Self(TextColumn::open(file, SECTION, Folding::AsIs, Indexing::Stored, records)?))
    }

    /// Returns the source of a record.
    pub(crate) fn get(&self, record: u32) -> RecordSource {
        let source = self.0.get(record).and_then(of_text);
        source.expect("a verified release holds the source of each record")
    }

    /// Returns the sources of some records, each once, in the order of the records.
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

/// Puts the sources of records together, in the order in which the records come.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordSourcesWriter(ColumnWriter);

impl RecordSourcesWriter {
    pub(crate) fn push(&mut self, source: &RecordSource) {
        self.0.push(Some(&to_text(source)));
    }

    /// Writes the sources of the records in another order.
    pub(crate) fn write(self, file: &mut FileWriter, order: impl Iterator<Item = u32>) {
        self.0.sorted(Folding::AsIs, order).write(file, SECTION, Indexing::Stored);
    }
}
