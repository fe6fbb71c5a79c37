//! Writes a layer's part of a release. The output depends only on other parts of the release.

use std::path::Path;

use super::attribute::{FACES, PLACES};
use super::column;
use super::layer_points::KEYS;
use super::place_feature::PlaceFeature;
use super::source::LayerSource;
use crate::index::PointKeys;
use crate::inventory::SpotIndex;
use crate::places::PlaceIndex;
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
    let items = (0..points.len()).map(|point| points.document(point));
    // Each spot or place is read once instead of once per attribute, because reading a place checks that its
    // texts are UTF-8.
    match source {
        LayerSource::Faces(inventory) => {
            let faces: Vec<_> = items.map(|spot| inventory.map_face(SpotIndex::from_raw(spot))).collect();
            for attribute in &FACES {
                column::write(&mut file, attribute, &faces.iter().map(attribute.of).collect::<Vec<_>>());
            }
        }
        LayerSource::Places(places, measures) => {
            let place = |place| PlaceFeature::new(places.get(PlaceIndex::from_raw(place)), measures);
            let features: Vec<_> = items.map(place).collect();
            for attribute in &PLACES {
                column::write(&mut file, attribute, &features.iter().map(attribute.of).collect::<Vec<_>>());
            }
        }
    }
    file
}
