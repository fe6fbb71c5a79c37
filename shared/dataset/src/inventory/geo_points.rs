//! The points of the records as texts. Nearly all are what their coordinates give, and are not kept.

use super::field::Field;
use super::json_values::{Whole, push_degrees, push_text};
use crate::index::{ColumnWriter, Damage, Folding, Indexing, StoredBits, TextColumn};
use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

/// The section of the spots whose coordinates give the text.
const OWN: &str = "location.geo_point.own";

/// The points of the records as texts.
#[derive(Clone, Debug)]
pub(super) struct GeoPoints {
    /// Those that are written otherwise than their coordinates give.
    others: TextColumn,
    /// The spots whose coordinates give the text.
    own: StoredBits,
}

impl GeoPoints {
    /// Opens the texts of so many spots.
    pub(super) fn open(file: &SectionFile, spots: usize) -> Result<Self, ReleaseError> {
        let section = Field::GeoPoint.path();
        let others = TextColumn::open(file, section, Folding::AsIs, Indexing::Stored, spots)?;
        Ok(Self { others, own: StoredBits::open(file, OWN, spots)? })
    }

    /// Appends a spot's text as JSON, and nothing when it has none.
    pub(super) fn write_json(&self, spot: u32, position: Position, out: &mut Vec<u8>) {
        if self.own.get(spot) {
            out.push(b'"');
            push_degrees(position.latitude, Whole::Plain, out);
            out.push(b',');
            push_degrees(position.longitude, Whole::Plain, out);
            out.push(b'"');
        } else if let Some(text) = self.others.get(spot) {
            push_text(text, out);
        }
    }

    /// Checks that no spot has two texts.
    pub(super) fn check(&self) -> Result<(), Damage> {
        self.others.check()?;
        self.own.check()?;
        let is_both = self.own.to_set().iter().any(|spot| self.others.ordinal(spot).is_some());
        if is_both { Err(Damage::BothTexts) } else { Ok(()) }
    }
}

/// Collects the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct GeoPointsWriter {
    others: ColumnWriter,
    own: Vec<bool>,
}

impl GeoPointsWriter {
    pub(super) fn push(&mut self, text: Option<&str>, position: Position) {
        let is_own = text.is_some_and(|text| text == geo_point(position));
        self.own.push(is_own);
        self.others.push(text.filter(|_| !is_own));
    }

    /// Writes the texts in another order than that in which they came.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32]) {
        let others = self.others.sorted(Folding::AsIs, order.iter().copied());
        others.write(file, Field::GeoPoint.path(), Indexing::Stored);
        StoredBits::write(file, OWN, order.iter().map(|at| self.own[*at as usize]));
    }
}

/// Returns a point as a text: degrees north, a comma, degrees east.
pub fn geo_point(Position { latitude, longitude }: Position) -> String {
    format!("{latitude},{longitude}")
}
