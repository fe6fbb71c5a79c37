//! Reads the lines and polygons of the base map.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use dataset::Position;
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::super::error::SourceError;
use super::geometry::Geometry;

/// The file with the shapes, a GeoJSON feature collection.
const FILE: &str = "shapes.geojson.gz";

/// Lines or polygons that belong to the same layer and have the same attributes.
#[derive(Clone, Deserialize)]
pub(super) struct Shape {
    pub(super) properties: Properties,
    pub(super) geometry: Geometry,
}

/// The layer, the attribute, and the zoom levels of a shape.
#[derive(Clone, Deserialize)]
pub(super) struct Properties {
    /// The name of the layer in the tiles.
    pub(super) layer: String,
    /// The value of the `kind` attribute.
    pub(super) kind: String,
    /// The lowest zoom level of the tiles that contain the shape.
    pub(super) min_zoom: u8,
}

#[derive(Deserialize)]
struct FeatureCollection {
    features: Vec<Shape>,
}

/// Reads the shapes and converts them to the Web Mercator projection.
pub(super) fn read(folder: &Path) -> Result<Vec<Shape>, SourceError> {
    let unreadable =
        |source: io::Error| SourceError::Unreadable { table: FILE.to_owned(), source: source.into() };
    let file = File::open(folder.join(FILE)).map_err(unreadable)?;
    let read: FeatureCollection = serde_json::from_reader(BufReader::new(GzDecoder::new(file)))
        .map_err(|error| unreadable(error.into()))?;
    let point = |[longitude, latitude]: &[f64; 2]| Position::from((*latitude, *longitude)).to_web_map();
    let projected = |Shape { properties, geometry }| Shape {
        properties,
        geometry: geometry.map_lines(|line| line.iter().map(point).collect()),
    };
    Ok(read.features.into_iter().map(projected).collect())
}
