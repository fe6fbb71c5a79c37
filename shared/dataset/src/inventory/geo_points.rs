//! The points of the records as texts. Nearly all are what their coordinates give, and are not kept.

use super::field::Field;
use super::json_values::{Whole, push_degrees, push_text};
use crate::index::{ColumnWriter, Folding, Indexing, TextColumn};
use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

/// Stands before a text that is not what the coordinates give; one that is has an empty value.
const OTHER: char = '=';

/// The points of the records as texts.
#[derive(Clone, Debug)]
pub(super) struct GeoPoints(TextColumn);

impl GeoPoints {
    /// Opens the texts of so many spots.
    pub(super) fn open(file: &SectionFile, spots: usize) -> Result<Self, ReleaseError> {
        TextColumn::open(file, Field::GeoPoint.path(), Folding::AsIs, Indexing::Stored, spots).map(Self)
    }

    /// Appends a spot's text as JSON, and nothing when it has none.
    pub(super) fn write_json(&self, spot: u32, position: Position, out: &mut Vec<u8>) {
        let Some(value) = self.0.get(spot) else { return };
        if let Some(text) = value.strip_prefix(OTHER) {
            return push_text(text, out);
        }
        out.push(b'"');
        push_degrees(position.latitude, Whole::Plain, out);
        out.push(b',');
        push_degrees(position.longitude, Whole::Plain, out);
        out.push(b'"');
    }
}

/// Collects the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct GeoPointsWriter(ColumnWriter);

impl GeoPointsWriter {
    pub(super) fn push(&mut self, text: Option<&str>, position: Position) {
        let value = |text| if text == geo_point(position) { String::new() } else { format!("{OTHER}{text}") };
        self.0.push(text.map(value).as_deref());
    }

    /// Writes the texts in another order than that in which they came.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32]) {
        let sorted = self.0.sorted(Folding::AsIs, order.iter().copied());
        sorted.write(file, Field::GeoPoint.path(), Indexing::Stored);
    }
}

/// Returns a point as a text: degrees north, a comma, degrees east.
pub fn geo_point(Position { latitude, longitude }: Position) -> String {
    format!("{latitude},{longitude}")
}
