//! Vector tiles of displays and places, made of a release's points in Morton order.

mod encode;
mod tile_id;

use crate::inventory::Inventory;
use crate::morton::{BOTTOM, Cell, MERCATOR_LATITUDE, Morton};
use crate::{Measures, Places};

pub use tile_id::TileId;

use encode::Properties;

/// An encoded vector tile that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// A Mapbox Vector Tile, version 2, not compressed.
    pub bytes: Vec<u8>,
    /// How many features it has, with those of its buffer.
    pub features: usize,
}

/// The degrees between which all points of a layer lie, as far as the web map reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The western meridian.
    pub west: f64,
    /// The southern parallel.
    pub south: f64,
    /// The eastern meridian.
    pub east: f64,
    /// The northern parallel.
    pub north: f64,
}

/// Makes a tile of the measured spots, in the layer `faces`; `None` when it shows none.
pub fn displays(inventory: &Inventory, tile: TileId) -> Option<Tile> {
    encode::tile(inventory.morton(), tile, "faces", &|spot, properties| {
        let face = inventory.face(spot);
        properties.id(face.spot_id.raw().into());
        properties.count("spot_id", face.spot_id.raw().into());
        add(properties, "media_type", face.media_type);
        if let Some(digital) = face.digital {
            properties.flag("digital", digital);
        }
        add(properties, "operator", face.operator);
        add(properties, "dma", face.dma);
    })
}

/// Makes a tile of the places, in the layer `places`; `None` when it shows none.
pub fn places(places: &Places, measures: &Measures, tile: TileId) -> Option<Tile> {
    encode::tile(places.morton(), tile, "places", &|place, properties| {
        let place = places.at(place);
        properties.id(place.id.raw());
        properties.count("place_id", place.id.raw());
        properties.text("name", place.name);
        properties.text("type", place.place_type);
        if let Some(visits) = measures.visits(place.id) {
            properties.count("weekly_visits", visits);
        }
    })
}

/// Returns where the measured spots lie; `None` when there are none.
pub fn extent_of_displays(inventory: &Inventory) -> Option<Extent> {
    extent(inventory.morton())
}

/// Returns where the places lie; `None` when there are none.
pub fn extent_of_places(places: &Places) -> Option<Extent> {
    extent(places.morton())
}

fn extent(points: &Morton) -> Option<Extent> {
    let mut cells = (0..points.len()).map(|at| points.cell(at));
    let Cell { x, y, .. } = cells.next()?;
    let [west, east, north, south] = cells.fold([x, x, y, y], |[west, east, north, south], Cell { x, y, .. }| {
        [west.min(x), east.max(x), north.min(y), south.max(y)]
    });
    let [first, last] = [(west, north), (east, south)].map(|(x, y)| Cell { zoom: BOTTOM, x, y }.bounds());
    Some(Extent {
        west: first.west.max(-180.0),
        south: last.south.max(-MERCATOR_LATITUDE),
        east: last.east.min(180.0),
        north: first.north.min(MERCATOR_LATITUDE),
    })
}

fn add(properties: &mut Properties<'_>, name: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        properties.text(name, text);
    }
}
