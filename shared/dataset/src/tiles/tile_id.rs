//! Which tile of the web map.

use crate::index::Quadrant;

/// A tile of the web map: a square of `4^zoom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileId {
    zoom: u8,
    x: u32,
    y: u32,
}

impl TileId {
    /// The deepest zoom. Maps that go deeper enlarge its tiles.
    pub const MAX_ZOOM: u8 = 14;

    /// Takes a tile's zoom, its column from the west and its row from the north; `None` when there is no such
    /// tile.
    pub fn new(zoom: u8, x: u32, y: u32) -> Option<Self> {
        let exists = zoom <= Self::MAX_ZOOM && x < 1 << zoom && y < 1 << zoom;
        exists.then_some(Self { zoom, x, y })
    }

    /// Returns the zoom.
    pub const fn zoom(self) -> u8 {
        self.zoom
    }

    /// Returns the column, from the west.
    pub const fn x(self) -> u32 {
        self.x
    }

    /// Returns the row, from the north.
    pub const fn y(self) -> u32 {
        self.y
    }

    pub(super) const fn quadrant(self) -> Quadrant {
        Quadrant { zoom: self.zoom, x: self.x, y: self.y }
    }
}
