//! Reads a source's files row by row.

use std::collections::BTreeSet;
use std::path::Path;

use dataset::Progress;

use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};
use super::guards::Violation;
use super::ids::{IdKind, Ids, Numbered, OtherRow, Unassigned};
use super::notice::Notice;
use super::rejects::Rejects;
use super::report::SourceSummary;
use super::row_notes::RowNotes;
use crate::columns::ColumnMap;
use crate::rows::{Dialect, Layout, RowProblem, RowReader, is_mark, is_unnamed};

/// The reason that a record isn't accepted even though its row is readable.
pub(super) enum NotAccepted {
    /// The record's row is rejected.
    Rejected { reason: String },
    /// The entire source can't be used.
    Failed(BuildError),
}

/// The state of reading a source, with the counts and notices so far.
pub(super) struct Reading<'a> {
    pub(super) entry: &'a SourceEntry,
    pub(super) files: Files,
    pub(super) summary: SourceSummary,
    pub(super) notices: Vec<Notice>,
    pub(super) rejects: &'a mut Rejects,
    layout: Option<Layout>,
    /// The columns of the source's first file.
    columns: Option<Vec<String>>,
    /// The columns that the build ignores.
    unread: BTreeSet<String>,
    /// The number of accepted rows in the current file, and how many of them are outside the United States.
    accepted_of_file: [u64; 2],
    pub(super) notes: RowNotes,
}

impl<'a> Reading<'a> {
    pub(super) fn new(entry: &'a SourceEntry, rejects: &'a mut Rejects) -> Self {
        Self {
            entry,
            files: Files::default(),
            summary: SourceSummary::new(entry.kind, entry.to_string()),
            notices: Vec::new(),
            rejects,
            layout: None,
            columns: None,
            unread: BTreeSet::new(),
            accepted_of_file: [0; 2],
            notes: RowNotes::default(),
        }
    }

    /// Opens one of the source's files. Fails if its columns differ from those of the source's first file.
    pub(super) fn open<'p>(
        &mut self,
        file: &Path,
        map: Option<&ColumnMap>,
        progress: Progress<'p>,
    ) -> Result<RowReader<'p>, BuildError> {
        let SourceEntry { sheet, header_row, .. } = self.entry;
        let delimiter = map.and_then(ColumnMap::delimiter);
        let dialect = Dialect { delimiter, sheet: sheet.clone(), header_row: *header_row };
        let reader = RowReader::open(file, &dialect, progress)?;
        if let Some(header) = reader.header() {
            self.check_columns(file, header)?;
        }
        self.begin(file, reader.layout());
        Ok(reader)
    }

    /// Makes a file the current one.
    pub(super) fn begin(&mut self, file: &Path, layout: Layout) {
        self.files.begin(file);
        self.rejects.begin(file);
        self.layout = Some(layout);
        self.accepted_of_file = [0; 2];
    }

    pub(super) fn reject(&mut self, problem: &RowProblem) -> Result<(), BuildError> {
        self.summary.rows += 1;
        self.summary.reasons.add(problem);
        let layout = self.layout.as_ref().expect("a row belongs to a file");
        Ok(self.rejects.add(layout, problem)?)
    }

    pub(super) fn accept(&mut self, is_outside: bool) {
        self.summary.rows += 1;
        self.summary.accepted += 1;
        self.summary.outside_us += u64::from(is_outside);
        self.accepted_of_file[0] += 1;
        self.accepted_of_file[1] += u64::from(is_outside);
    }

    /// Returns the value if it was accepted. If it was rejected, adds the row to the rejected rows and
    /// returns `None`.
    pub(super) fn accepted<T>(
        &mut self,
        line: u64,
        raw: Vec<u8>,
        accepted: Result<T, NotAccepted>,
    ) -> Result<Option<T>, BuildError> {
        match accepted {
            Ok(value) => Ok(Some(value)),
            Err(NotAccepted::Rejected { reason }) => {
                self.reject(&RowProblem { line, reason, raw })?;
                Ok(None)
            }
            Err(NotAccepted::Failed(error)) => Err(error),
        }
    }

    /// Assigns an ID to a record that has only a register number. `ids` contains the IDs in the source's
    /// namespace, if it has one.
    pub(super) fn assign(
        &mut self,
        ids: Option<&mut Ids>,
        kind: IdKind,
        numbered: Numbered,
        row: FileRow,
    ) -> Result<u64, NotAccepted> {
        let source_name = || self.summary.name.clone();
        let Some(ids) = ids else {
            let what = match kind {
                IdKind::Display => "spot_id",
                IdKind::Place => "place_id",
            };
            let member = kind.number();
            let row = self.name(row);
            let failure = BuildError::NoNamespace { source_name: source_name(), row, what, member };
            return Err(NotAccepted::Failed(failure));
        };
        let number = numbered.number.clone();
        let other = ids.other_with_number(kind, &numbered);
        match ids.assign(kind, numbered, row) {
            Ok(assigned) => {
                if let Some(other) = other {
                    self.notes.add_shared(number.clone(), row, other);
                }
                self.summary.assigned_ids += 1;
                Ok(self.notes.add_assigned(number, assigned))
            }
            Err(Unassigned::SameRecord(other)) => Err(self.duplicate_of(
                other,
                match kind {
                    IdKind::Display => "has the same plant_spot_id, position, direction, and description",
                    IdKind::Place => "has the same register_id and describes the same place",
                },
            )),
            Err(source) => {
                let (row, source) = (self.name(row), source.into());
                let failure = BuildError::Unassigned { source_name: source_name(), row, source };
                Err(NotAccepted::Failed(failure))
            }
        }
    }

    /// Returns the rejection for a row that duplicates another row. `what` completes the reason, which starts
    /// with the other row, such as `row 3 also has spot_id 7`.
    pub(super) fn duplicate(&self, other: FileRow, what: &str) -> NotAccepted {
        self.duplicate_of(OtherRow::OfThisSource(other), what)
    }

    fn duplicate_of(&self, other: OtherRow, what: &str) -> NotAccepted {
        let other = match other {
            OtherRow::OfThisSource(row) => self.files.name_here(row),
            OtherRow::OfAnotherSource => other.name(&self.files),
        };
        NotAccepted::Rejected { reason: format!("{other} {what}") }
    }

    pub(super) fn name(&self, row: FileRow) -> String {
        self.files.name(row)
    }

    /// Adds the notices about the current file. Must be called after the file's last row has been read.
    pub(super) fn end_file(&mut self, file: &Path, reader: &RowReader<'_>, map: Option<&ColumnMap>) {
        let columns = reader.columns();
        self.unread.extend(map.into_iter().flat_map(|map| map.unread(&columns)));
        for (target, column) in
            map.filter(|_| reader.header().is_none()).into_iter().flat_map(|map| map.absent(&columns))
        {
            let (file, target) = (file.to_owned(), target.to_owned());
            self.notices.push(Notice::AbsentColumn { file, column, target });
        }
        let lines = reader.windows_1252();
        self.notices.extend(lines.map(|lines| Notice::Windows1252 { file: file.to_owned(), lines }));
        let [rows, outside] = self.accepted_of_file;
        if rows > 0 && rows == outside && !self.entry.outside_us {
            self.notices.push(Notice::AllOutside { file: file.to_owned(), rows });
        }
    }

    /// Completes the source. Fails if it has no rows, if no row was accepted, or if too many rows were
    /// rejected. `is_live` returns whether any record in the build has a given ID.
    pub(super) fn end(
        mut self,
        is_live: impl Fn(IdKind, u64) -> bool,
        kind: IdKind,
    ) -> Result<(SourceSummary, Files, Vec<Notice>), BuildError> {
        let source_name = self.summary.name.clone();
        let (rejected, rows) = (self.summary.rejected(), self.summary.rows);
        if let Some(most) = self.entry.max_rejects.filter(|most| most.is_exceeded(rejected, rows)) {
            return Err(BuildError::Stopped(vec![Violation::Rejects { source_name, rejected, rows, most }]));
        }
        if rows == 0 {
            return Err(BuildError::NoRows { source_name });
        }
        if self.summary.accepted == 0 {
            return Err(BuildError::NothingAccepted { source_name });
        }
        if !self.unread.is_empty() {
            let (source_name, columns) = (source_name.clone(), self.unread.into_iter().collect());
            self.notices.push(Notice::UnreadColumns { source_name, columns });
        }
        self.notices.extend(self.notes.notices(&source_name, &self.files, is_live, kind));
        // Drop notices about the sample, because administrators can't change its files.
        if self.entry.is_sample {
            self.notices.clear();
        }
        Ok((self.summary, self.files, self.notices))
    }

    fn check_columns(&mut self, file: &Path, header: &[String]) -> Result<(), BuildError> {
        let mut sorted = header.to_vec();
        sorted.retain(|name| !is_unnamed(name) && !is_mark(name));
        sorted.sort();
        let Some(columns) = &self.columns else {
            self.columns = Some(sorted);
            return Ok(());
        };
        if *columns == sorted {
            return Ok(());
        }
        let without = |these: &[String], those: &[String]| {
            these.iter().filter(|name| !those.contains(name)).cloned().collect::<Vec<String>>()
        };
        Err(BuildError::OtherColumns {
            file: file.to_owned(),
            first: self.entry.files[0].clone(),
            lacks: without(columns, &sorted),
            has: without(&sorted, columns),
        })
    }
}
