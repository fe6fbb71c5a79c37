//! Samples of the values in a file's first rows.

use std::collections::BTreeMap;

use super::names::Name;
use super::target::is_placeholder;
use crate::rows::{FileError, RowReader};

/// The values in each column of the first rows.
#[derive(Debug, Default)]
pub(super) struct Samples {
    columns: Vec<String>,
    values: BTreeMap<String, Vec<String>>,
}

impl Samples {
    /// Collects the values in the first `rows` rows. The reader returns these rows again.
    pub(super) fn of(file: &mut RowReader<'_>, rows: usize) -> Result<Self, FileError> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in file.read_ahead(rows)? {
            for column in row.fields.keys() {
                let text = row.text(column).ok().flatten();
                let text = text.filter(|text| !is_placeholder(text));
                values.entry(column.clone()).or_default().extend(text.map(|text| text.into_owned()));
            }
        }
        Ok(Self { columns: file.columns(), values })
    }

    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns a column's sampled values, without missing values.
    pub(super) fn values(&self, column: &str) -> &[String] {
        self.values.get(column).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the coordinates in the samples use decimal commas.
    pub(super) fn have_decimal_commas(&self) -> bool {
        let is_coordinate = |column: &&String| {
            matches!(Name::of(column).plain_key().as_str(), "lat" | "latitude" | "lng" | "lon" | "longitude")
        };
        let mut coordinates =
            self.columns.iter().filter(is_coordinate).flat_map(|column| self.values(column));
        let has_comma =
            |text: &String| text.matches(',').count() == 1 && text.replace(',', ".").parse::<f64>().is_ok();
        coordinates.next().is_some_and(has_comma) && coordinates.all(has_comma)
    }
}
