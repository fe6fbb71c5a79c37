//! Collects counts and examples of accepted rows, for notices.

use std::collections::BTreeMap;

use super::file_row::{FileRow, Files};
use super::ids::{Assigned, IdKind, OtherRow};
use super::notice::Notice;
use crate::columns::Unkept;
use crate::location::Contradiction;

/// Counts and examples of a source's accepted rows, for notices.
#[derive(Debug, Default)]
pub(super) struct RowNotes {
    /// The number of rows with a contradiction, and the first such row. The key consists of the member's name
    /// and whether the given value is used.
    contradictions: BTreeMap<(&'static str, bool), (u64, FileRow, Contradiction)>,
    /// The number of rows with a value that records can't store, and the first such row, by target.
    unkept: BTreeMap<&'static str, (u64, FileRow, Unkept)>,
    moved: Vec<(String, f64)>,
    reused: Vec<(String, u64, u64, f64)>,
    /// Rows that share their register number with a row for a different display or place.
    shared: Vec<(String, FileRow, OtherRow)>,
}

impl RowNotes {
    /// Adds the contradictions between a row's values and its position.
    pub(super) fn add_contradictions(&mut self, row: FileRow, contradictions: Vec<Contradiction>) {
        for contradiction in contradictions {
            let key = (contradiction.member, contradiction.is_given_used);
            self.contradictions.entry(key).or_insert((0, row, contradiction)).0 += 1;
        }
    }

    /// Adds the values in a row that its record can't store.
    pub(super) fn add_unkept(&mut self, row: FileRow, unkept: Vec<Unkept>) {
        for value in unkept {
            self.unkept.entry(value.target).or_insert((0, row, value)).0 += 1;
        }
    }

    /// Adds a register number that two rows share even though they describe different displays or places.
    pub(super) fn add_shared(&mut self, number: String, row: FileRow, other: OtherRow) {
        self.shared.push((number, row, other));
    }

    /// Adds a register number if its record has moved, or if it now identifies a different record. Returns
    /// the assigned ID.
    pub(super) fn add_assigned(&mut self, number: String, assigned: Assigned) -> u64 {
        match assigned {
            Assigned::New { id } | Assigned::Known { id } => id,
            Assigned::Moved { id, km } => {
                self.moved.push((number, km));
                id
            }
            Assigned::Reused { id, before, km } => {
                self.reused.push((number, before, id, km));
                id
            }
        }
    }

    /// Returns the notices about the rows. `is_live` returns whether any record in the build has a given ID.
    pub(super) fn notices(
        mut self,
        source_name: &str,
        files: &Files,
        is_live: impl Fn(IdKind, u64) -> bool,
        kind: IdKind,
    ) -> Vec<Notice> {
        let source_name = || source_name.to_owned();
        let unkept = self.unkept.into_values().map(|(rows, row, Unkept { target, text, reason })| {
            let (first, target, reason) = (files.name(row), target.to_owned(), reason.to_owned());
            Notice::Unkept { source_name: source_name(), target, rows, first, text, reason }
        });
        let contradictions = self.contradictions.into_values().map(|(rows, row, contradiction)| {
            let Contradiction { member, given, derived, is_given_used } = contradiction;
            let (first, member) = (files.name(row), member.to_owned());
            Notice::Contradiction {
                source_name: source_name(),
                member,
                rows,
                first,
                given,
                derived,
                is_given_used,
            }
        });
        let mut notices: Vec<Notice> = unkept.chain(contradictions).collect();
        let rows = self.moved.len();
        notices.extend(self.moved.into_iter().next().map(|(number, km)| Notice::Moved {
            source_name: source_name(),
            rows,
            number,
            km,
        }));
        let rows = self.shared.len();
        notices.extend(self.shared.into_iter().next().map(|(number, row, other)| Notice::SharedNumber {
            source_name: source_name(),
            member: kind.number().to_owned(),
            rows,
            first: files.name(row),
            number,
            other: other.name(files),
        }));
        // If the earlier record still exists, the number wasn't reused, but identifies both records. They may
        // be two faces of one structure.
        self.reused.retain(|(_, before, ..)| !is_live(kind, *before));
        let rows = self.reused.len();
        notices.extend(self.reused.into_iter().next().map(|(number, before, id, km)| Notice::Reused {
            source_name: source_name(),
            rows,
            number,
            before,
            id,
            km,
        }));
        notices
    }
}
