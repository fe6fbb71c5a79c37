//! Reads layouts by filling the gaps in each record's template.

use memchr::memchr;

use super::id::SpotId;
use super::json_values::push_json;
use super::layout_forms::{GAP, Gap, OwnValues};
use crate::index::{Indexing, Normalization, TextColumn};
use crate::release::ReleaseError;
use crate::release::file::{Runs, SectionFile};

pub(super) const OWN: &str = "layouts.own";
pub(super) const SECTION: &str = "layouts";

/// The layouts of all records.
#[derive(Clone, Debug)]
pub(super) struct LayoutColumn {
    /// The template of each record.
    forms: TextColumn,
    /// The encoded values for each record's gaps.
    own: Runs,
}

impl LayoutColumn {
    /// Opens the layouts. `records` is the number of records in the file.
    pub(super) fn open(file: &SectionFile, records: usize) -> Result<Self, ReleaseError> {
        let forms = TextColumn::open(file, SECTION, Normalization::AsIs, Indexing::Stored, records)?;
        Ok(Self { forms, own: Runs::open(file, OWN)? })
    }

    /// Appends a spot's layouts as JSON, or nothing if the spot doesn't have any.
    pub(super) fn write_json(&self, spot: u32, id: SpotId, out: &mut Vec<u8>) {
        let mut rest = self.forms.get(spot).unwrap_or_default().as_bytes();
        let mut own = OwnValues(self.own.get(spot as usize));
        let id = i64::from(id.raw());
        let (mut number, mut text) = (id, 0..0);
        while let Some(gap) = memchr(GAP, rest) {
            out.extend_from_slice(&rest[..gap]);
            match Gap::from_byte(rest[gap + 1]) {
                Gap::NearId(distance) => push_json(&(id + i64::from(distance)), out),
                Gap::OwnNumber => {
                    number = number.wrapping_add(own.number());
                    push_json(&number, out);
                }
                Gap::OwnText => text = own.text(out),
                Gap::OwnToken => drop(own.text(out)),
                Gap::SameText => out.extend_from_within(text.clone()),
            }
            rest = &rest[gap + 2..];
        }
        out.extend_from_slice(rest);
    }
}
