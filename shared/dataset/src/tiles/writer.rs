//! Writes a layer's part of a release. The output depends only on other parts of the release.

use std::path::Path;

use super::column;
use super::layer_points::KEYS;
use super::source::LayerSource;
use crate::index::PointKeys;
use crate::release::file::FileWriter;
use crate::release::{Folder, ReleaseError, RowCounts, WriteError};

/// Derives a layer's part from other parts of the release and writes it to a folder. Returns the number of
/// points.
pub fn write(folder: &Path, source: LayerSource<'_>) -> Result<RowCounts, WriteError> {
    to_file(source).write_part(folder, source.layer().part())?;
    Ok([(source.layer().name().to_owned(), source.points().len() as u64)].into())
}

/// Checks that a layer's part has exactly the bytes that are derived from the other parts of the release.
pub fn check(folder: &Folder, source: LayerSource<'_>) -> Result<(), ReleaseError> {
    folder.check_derived(source.layer().part(), &to_file(source))
}

/// Creates the file, which contains the points in curve order and one column per attribute.
fn to_file(source: LayerSource<'_>) -> FileWriter {
    let points = source.points();
    let mut file = FileWriter::default();
    PointKeys::write(&mut file, KEYS, points.keys.iter());
    for (at, attribute) in source.layer().attributes().iter().enumerate() {
        let items = (0..points.len()).map(|point| points.document(point));
        let values: Vec<_> = items.map(|item| source.value(item, at)).collect();
        column::write(&mut file, attribute, &values);
    }
    file
}
