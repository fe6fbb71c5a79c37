//! Stands in for the tiles of a data set.
#![allow(dead_code, missing_docs)]

use dataset::inventory::Inventory;
use dataset::{Measures, Places};

#[derive(Clone, Copy, Debug)]
pub(crate) struct TileId {
    place: (u8, u32, u32),
}

impl TileId {
    pub(crate) const MAX_ZOOM: u8 = 14;

    pub(crate) fn new(z: u8, x: u32, y: u32) -> Option<Self> {
        (z <= Self::MAX_ZOOM && x < 1 << z && y < 1 << z).then_some(Self { place: (z, x, y) })
    }
}

pub(crate) struct Tile {
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct Extent {
    pub(crate) west: f64,
    pub(crate) south: f64,
    pub(crate) east: f64,
    pub(crate) north: f64,
}

pub(crate) fn displays(inventory: &Inventory, tile: TileId) -> Option<Tile> {
    (!inventory.is_empty() && tile.place.1 == 0).then(|| Tile { bytes: vec![0x1a; 4_000] })
}

pub(crate) fn places(places: &Places, _measures: &Measures, tile: TileId) -> Option<Tile> {
    (!places.is_empty() && tile.place.1 == 0).then(|| Tile { bytes: vec![0x1a; 4_000] })
}

pub(crate) fn extent_of_displays(inventory: &Inventory) -> Option<Extent> {
    (!inventory.is_empty()).then_some(Extent { west: -125.0, south: 24.0, east: -67.0, north: 50.0 })
}

pub(crate) fn extent_of_places(places: &Places) -> Option<Extent> {
    (!places.is_empty()).then_some(Extent { west: -125.0, south: 24.0, east: -67.0, north: 50.0 })
}
