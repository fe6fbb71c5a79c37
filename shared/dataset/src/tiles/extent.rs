//! The extent of a layer's points.

use crate::index::{BOTTOM, MERCATOR_LATITUDE, Quadrant};

/// The bounding box of a layer's points in degrees, limited to the range of the web map.
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

impl Extent {
    /// Returns the bounding box of bottom-level quadrants, or `None` if there are none.
    pub(super) fn of(mut points: impl Iterator<Item = Quadrant>) -> Option<Self> {
        let Quadrant { x, y, .. } = points.next()?;
        let outermost = |[west, east, north, south]: [u32; 4], Quadrant { x, y, .. }| {
            [west.min(x), east.max(x), north.min(y), south.max(y)]
        };
        let [west, east, north, south] = points.fold([x, x, y, y], outermost);
        let bounds = |x, y| Quadrant { zoom: BOTTOM, x, y }.bounds();
        let (first, last) = (bounds(west, north), bounds(east, south));
        Some(Self {
            west: first.west.max(-180.0),
            south: last.south.max(-MERCATOR_LATITUDE),
            east: last.east.min(180.0),
            north: first.north.min(MERCATOR_LATITUDE),
        })
    }
}
