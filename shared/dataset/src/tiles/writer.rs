//! Writes the part of a layer. The same release gives the same bytes.

use std::path::Path;

use super::column;
use super::layer_points::KEYS;
use super::source::LayerSource;
use crate::index::{PointKeys, in_z_order};
use crate::release::file::FileWriter;
use crate::release::{RowCounts, WriteError};

/// Writes the part of a layer into a folder, from other parts of the release; returns how many points it has.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(folder: &Path, source: LayerSource<'_>) -> Result<RowCounts, WriteError> {
    let layer = source.layer();
    let ordered = in_z_order(source.points());
    let mut file = FileWriter::default();
    PointKeys::write(&mut file, KEYS, ordered.iter().map(|(key, _)| *key));
    for (at, attribute) in layer.attributes().iter().enumerate() {
        let values: Vec<_> = ordered.iter().map(|(_, item)| source.value(*item, at)).collect();
        column::write(&mut file, attribute, &values);
    }
    file.write_part(folder, layer.part())?;
    Ok([(layer.name().to_owned(), ordered.len() as u64)].into())
}
