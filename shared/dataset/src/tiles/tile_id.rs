//! The coordinates of a tile on the web map.

use crate::index::Quadrant;

/// A tile of the web map. Each zoom level has `4^zoom` tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileId {
    zoom: u8,
    x: u32,
    y: u32,
}

impl TileId {
    /// The maximum zoom level. Beyond it, map clients scale up the tiles of this level.
    pub const MAX_ZOOM: u8 = 14;

    /// Creates an ID from a zoom level, a column counted from the west, and a row counted from the north.
    /// Returns `None` if the tile doesn't exist.
    pub fn new(zoom: u8, x: u32, y: u32) -> Option<Self> {
        let exists = zoom <= Self::MAX_ZOOM && x < 1 << zoom && y < 1 << zoom;
        exists.then_some(Self { zoom, x, y })
    }

    /// Returns the zoom level.
    pub const fn zoom(self) -> u8 {
        self.zoom
    }

    /// Returns the column, counted from the west.
    pub const fn x(self) -> u32 {
        self.x
    }

    /// Returns the row, counted from the north.
    pub const fn y(self) -> u32 {
        self.y
    }

    pub(super) const fn quadrant(self) -> Quadrant {
        Quadrant { zoom: self.zoom, x: self.x, y: self.y }
    }
}
