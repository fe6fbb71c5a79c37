//! Writes the part of a layer. The same release gives the same bytes.

use std::path::Path;

use super::column::AttributeColumnWriter;
use super::extent::Extent;
use super::layer_points::KEYS;
use super::source::LayerSource;
use crate::index::{PointKeys, Quadrant, in_z_order};
use crate::release::file::FileWriter;
use crate::release::{RowCounts, WriteError};

/// Writes the part of a layer into a folder, from other parts of the release; returns how many points it has.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(folder: &Path, source: LayerSource<'_>) -> Result<RowCounts, WriteError> {
    let layer = source.layer();
    let attributes = layer.attributes();
    let mut columns: Vec<AttributeColumnWriter> =
        attributes.iter().map(|attribute| AttributeColumnWriter::new(attribute.kind)).collect();
    let ordered = in_z_order(source.points());
    for (_, item) in &ordered {
        columns.iter_mut().zip(source.values(*item)).for_each(|(column, value)| column.push(value));
    }
    let keys = || ordered.iter().map(|(key, _)| *key);
    let mut file = FileWriter::default();
    PointKeys::write(&mut file, KEYS, keys());
    Extent::write(&mut file, keys().map(Quadrant::of_key));
    for (attribute, column) in attributes.iter().zip(columns) {
        column.write(&mut file, attribute.name);
    }
    let name = layer.part().file();
    file.write(&folder.join(name)).map_err(|source| WriteError::new(name, source))?;
    Ok([(layer.name().to_owned(), ordered.len() as u64)].into())
}
