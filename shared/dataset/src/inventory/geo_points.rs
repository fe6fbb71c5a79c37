//! The coordinates of records as text. In nearly all records, the text equals the formatted position, so it
//! isn't stored.

use serde::{Deserialize, Serialize};

use super::field::Field;
use super::json_values::{Whole, push_degrees, push_text};
use crate::index::{ColumnWriter, Indexing, Normalization, TextColumn};
use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

/// The prefix of stored text that differs from the formatted position. If the text equals the formatted
/// position, an empty string is stored instead.
const OTHER: char = '=';

/// The column of coordinates as text.
#[derive(Clone, Debug)]
pub(super) struct GeoPoints(TextColumn);

impl GeoPoints {
    /// Opens the column. `spots` is the number of spots in the file.
    pub(super) fn open(file: &SectionFile, spots: usize) -> Result<Self, ReleaseError> {
        TextColumn::open(file, Field::GeoPoint.path(), Normalization::AsIs, Indexing::Stored, spots).map(Self)
    }

    /// Appends the coordinates of a spot as a JSON string, or nothing if the record doesn't contain
    /// coordinates as text.
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

/// Collects the coordinates of records as text, in the order in which the records are pushed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GeoPointsWriter(ColumnWriter);

impl GeoPointsWriter {
    pub(super) fn push(&mut self, text: Option<&str>, position: Position) {
        let value = |text| if text == geo_point(position) { String::new() } else { format!("{OTHER}{text}") };
        self.0.push(text.map(value).as_deref());
    }

    /// Appends the coordinates of the given records from another writer.
    pub(super) fn append(&mut self, other: &Self, records: &[u32]) {
        self.0.append(&other.0, records);
    }

    /// Writes the column, with the records in the given order.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32]) {
        let sorted = self.0.sorted(Normalization::AsIs, order.iter().copied());
        sorted.write(file, Field::GeoPoint.path(), Indexing::Stored);
    }
}

/// Formats a position as `latitude,longitude`, in degrees.
pub fn geo_point(Position { latitude, longitude }: Position) -> String {
    format!("{latitude},{longitude}")
}
