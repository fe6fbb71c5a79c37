//! Builds the base map and the gazetteer from the source tables in `data/basemap` and `data/geographies`.

mod geometry;
mod names;
mod shapes;
mod tiles;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use dataset::tiles::TileId;
use dataset::{Part, RowCounts, base_map};
use flate2::Compression;
use flate2::write::GzEncoder;

use self::names::Name;
use super::error::SampleError;

/// Writes the `BaseMap` part. Returns its row counts.
///
/// # Errors
///
/// Fails on the first invalid row in a source table, or if a file can't be read or written.
pub fn write(data: &Path, out: &Path) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
    let names = names::read(data)?;
    let shapes = shapes::read(&data.join("basemap"))?;
    let world = TileId::new(0, 0, 0).expect("the tile exists");
    let tiles = tiles::draw(world, shapes, &names.iter().collect::<Vec<&Name>>());
    let mut rows = base_map::write(out, &tiles, &names::gazetteer(&names))?;
    rows.insert("names".to_owned(), names.len() as u64);
    Ok([(Part::BaseMap, rows)].into())
}

/// Compresses content at the best compression level, because it's compressed once and served often.
fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish()).expect("writing to memory doesn't fail")
}
