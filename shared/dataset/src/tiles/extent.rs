//! The bounding box of a layer's points.

use crate::index::{BOTTOM, Quadrant};
use crate::position::MERCATOR_LATITUDE;

/// The bounding box of a layer's points, clipped to the web map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The longitude of the western edge, in degrees.
    pub west: f64,
    /// The latitude of the southern edge, in degrees.
    pub south: f64,
    /// The longitude of the eastern edge, in degrees.
    pub east: f64,
    /// The latitude of the northern edge, in degrees.
    pub north: f64,
}

impl Extent {
    /// Returns the bounding box of bottom-level quadrants, or `None` if the iterator is empty.
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
