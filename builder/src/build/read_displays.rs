//! Reads a source's displays. Rows are parsed in parallel and accepted in file order.

use std::collections::HashMap;

use dataset::RecordSource;
use dataset::inventory::{InventoryWriter, Record, SpotId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};
use super::ids::{IdKind, Ids};
use super::notice::Notice;
use super::rejects::Rejects;
use super::report::SourceSummary;
use super::source_files::{NotAccepted, Reading};
use crate::columns::{ColumnMap, Matching};
use crate::displays::{
    self, DisplayId, ReadDisplay, SCHEMA, Setup, TARGETS, complete, is_complete_record, number,
    with_every_member,
};
use crate::location::Markets;
use crate::rows::{RowProblem, RowReader};

/// The number of rows in a batch.
const BATCH: usize = 2_000;

/// The number of rows to check for complete records at the start of a file.
const LOOKED_AT: usize = 100;

/// A source's displays, and its part of the build report.
#[derive(Serialize, Deserialize)]
pub(super) struct Displays {
    #[serde(skip)]
    pub(super) writer: InventoryWriter,
    /// The row that each display was read from.
    pub(super) rows: HashMap<SpotId, FileRow>,
    pub(super) files: Files,
    pub(super) summary: SourceSummary,
    pub(super) notices: Vec<Notice>,
    /// Whether a model fills in missing members, as requested by the column map.
    pub(super) is_modelled: bool,
}

/// The displays accepted so far, with the data needed to accept more.
struct Accepting<'a> {
    reading: Reading<'a>,
    /// The column map, or `None` if the rows are complete records.
    map: Option<ColumnMap>,
    ids: Option<&'a mut Ids>,
    source: RecordSource,
    writer: InventoryWriter,
    rows: HashMap<SpotId, FileRow>,
    first_unmeasured: Option<FileRow>,
}

/// Reads a source's displays. `ids` contains the IDs in the source's namespace, if it has one.
pub(super) fn read(
    entry: &SourceEntry,
    context: &Context<'_>,
    ids: Option<&mut Ids>,
    rejects: &mut Rejects,
) -> Result<Displays, BuildError> {
    let mut accepting = Accepting {
        reading: Reading::new(entry, rejects),
        map: entry.map.as_deref().map(|map| ColumnMap::read(map, &TARGETS)).transpose()?,
        ids,
        source: entry.record_source(context.today),
        writer: InventoryWriter::default(),
        rows: HashMap::new(),
        first_unmeasured: None,
    };
    for file in &entry.files {
        let mut reader = accepting.reading.open(file, accepting.map.as_ref(), context.progress)?;
        match &accepting.map {
            Some(map) => {
                let fits = displays::check(map, &reader);
                fits.map_err(|error| BuildError::MapOfFile {
                    file: file.clone(),
                    source: map.explain(&mut reader, error),
                })?;
            }
            None if has_records(&mut reader)? => {}
            None => accepting.map = Some(Matching::of(&mut reader, &SCHEMA)?.into_map()?),
        }
        read_rows(&mut reader, context.markets(entry.outside_us), &mut accepting)?;
        accepting.reading.end_file(file, &reader, accepting.map.as_ref());
    }
    accepting.end()
}

/// Returns whether a file's rows are complete records rather than flat rows.
fn has_records(reader: &mut RowReader<'_>) -> Result<bool, BuildError> {
    Ok(reader.has_records() && reader.read_ahead(LOOKED_AT)?.any(is_complete_record))
}

/// Reads a file's rows in batches. While a batch is parsed, the previous batch is accepted and the next one
/// is read.
fn read_rows(
    reader: &mut RowReader<'_>,
    markets: Markets<'_>,
    accepting: &mut Accepting<'_>,
) -> Result<(), BuildError> {
    let map = accepting.map.clone();
    let setup = Setup { map: map.as_ref(), markets };
    let mut batch = reader.next_batch(BATCH, setup.map.is_none())?;
    let mut parsed: Vec<Result<ReadDisplay, RowProblem>> = Vec::new();
    while !batch.is_empty() {
        let (next, read) = rayon::join(
            || batch.into_par_iter().map(|row| displays::read(row, setup)).collect(),
            || {
                accepting.accept_each(std::mem::take(&mut parsed))?;
                Ok::<_, BuildError>(reader.next_batch(BATCH, setup.map.is_none())?)
            },
        );
        (parsed, batch) = (next, read?);
    }
    accepting.accept_each(parsed)
}

impl Accepting<'_> {
    fn accept_each(&mut self, displays: Vec<Result<ReadDisplay, RowProblem>>) -> Result<(), BuildError> {
        let mut records = Vec::with_capacity(displays.len());
        for display in displays {
            match display {
                Ok(display) => records.extend(self.accept(display)?),
                Err(problem) => self.reading.reject(&problem)?,
            }
        }
        self.writer.push_each(&records, &self.source);
        Ok(())
    }

    /// Assigns an ID to a display if it doesn't have one, and completes its record. Rejects the row if
    /// another row has the same ID or describes the same display.
    fn accept(&mut self, display: ReadDisplay) -> Result<Option<Record<'static>>, BuildError> {
        let ReadDisplay { line, raw, mut record, id, is_outside, contradictions, unkept } = display;
        let row = self.reading.files.row(line);
        let identified = self.identify(id, row);
        let Some(id) = self.reading.accepted(line, raw, identified)? else { return Ok(None) };
        if record.spot_id.is_none() {
            number(&mut record, id);
            self.attribute(&mut record);
        }
        if let Some((map, vintage)) = self.map.as_ref().and_then(|map| Some((map, map.modelled()?))) {
            complete(&mut record, vintage, map.assumed());
        }
        if self.map.as_ref().is_some_and(ColumnMap::fills_blanks) {
            record = with_every_member(&record);
        }
        if !record.has_measures() {
            self.reading.summary.unmeasured += 1;
            self.first_unmeasured.get_or_insert(row);
        }
        self.reading.notes.add_contradictions(row, contradictions);
        self.reading.notes.add_unkept(row, unkept);
        self.reading.accept(is_outside);
        Ok(Some(record))
    }

    fn identify(&mut self, id: DisplayId, row: FileRow) -> Result<SpotId, NotAccepted> {
        let id = match id {
            DisplayId::Given(id) => id,
            DisplayId::Own(numbered) => {
                let ids = self.ids.as_deref_mut();
                let id = self.reading.assign(ids, IdKind::Display, numbered, row)?;
                SpotId::from_raw(u32::try_from(id).expect("assigned spot ids fit"))
            }
        };
        if let Some(other) = self.rows.get(&id) {
            return Err(self.reading.duplicate(*other, &format!("also has spot_id {id}")));
        }
        self.rows.insert(id, row);
        Ok(id)
    }

    /// Attributes a record's impressions to this source and its vintage, unless the row specifies a source or
    /// a vintage.
    fn attribute(&self, record: &mut Record<'_>) {
        if record.weekly_impressions.is_some() {
            let RecordSource { name, vintage } = &self.source;
            record.impressions_source.get_or_insert_with(|| name.clone().into());
            record.impressions_vintage.get_or_insert_with(|| vintage.clone().into());
        }
    }

    fn end(self) -> Result<Displays, BuildError> {
        let source_name = self.reading.summary.name.clone();
        if let Some(first) = self.first_unmeasured.filter(|_| !self.reading.entry.keeps_unmeasured) {
            let (rows, first) = (self.reading.summary.unmeasured, self.reading.name(first));
            return Err(BuildError::Unmeasured { source_name, rows, first });
        }
        let ids = self.ids;
        let is_live = |kind, id| ids.as_ref().is_some_and(|ids| ids.is_live(kind, id));
        let is_modelled = self.map.as_ref().is_some_and(|map| map.modelled().is_some());
        let (summary, files, notices) = self.reading.end(is_live, IdKind::Display)?;
        Ok(Displays { writer: self.writer, rows: self.rows, files, summary, notices, is_modelled })
    }
}
