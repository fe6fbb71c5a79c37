//! Writes the part of a layer. The same release gives the same bytes.

use std::path::Path;

use super::column;
use super::layer_points::KEYS;
use super::source::LayerSource;
use crate::index::PointKeys;
use crate::release::file::FileWriter;
use crate::release::{Folder, ReleaseError, RowCounts, WriteError};

/// Writes the part of a layer into a folder, from other parts of the release; returns how many points it has.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(folder: &Path, source: LayerSource<'_>) -> Result<RowCounts, WriteError> {
    to_file(source).write_part(folder, source.layer().part())?;
    Ok([(source.layer().name().to_owned(), source.points().len() as u64)].into())
}

/// Compares the part of a layer with what the other parts of the release give.
///
/// # Errors
///
/// When a byte of the part differs.
pub fn check(folder: &Folder, source: LayerSource<'_>) -> Result<(), ReleaseError> {
    folder.check_derived(source.layer().part(), &to_file(source))
}

/// Lays out the points of a layer in the order of the curve, and a column for each attribute.
fn to_file(source: LayerSource<'_>) -> FileWriter {
    let points = source.points();
    let mut file = FileWriter::default();
    PointKeys::write(&mut file, KEYS, points.keys.iter());
    for (at, attribute) in source.layer().attributes().iter().enumerate() {
        let items = (0..points.len()).map(|point| points.item(point));
        let values: Vec<_> = items.map(|item| source.value(item, at)).collect();
        column::write(&mut file, attribute, &values);
    }
    file
}
