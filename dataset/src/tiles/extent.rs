//! Where the points of a layer lie.

use crate::index::{BOTTOM, MERCATOR_LATITUDE, Quadrant, ZOrder};
use crate::inventory::Inventory;
use crate::places::Places;

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

/// Returns where the measured spots lie; `None` when there are none.
pub fn extent_of_displays(inventory: &Inventory) -> Option<Extent> {
    extent(inventory.points())
}

/// Returns where the places lie; `None` when there are none.
pub fn extent_of_places(places: &Places) -> Option<Extent> {
    extent(places.points())
}

fn extent(points: &ZOrder) -> Option<Extent> {
    let mut quadrants = (0..points.len()).map(|at| points.quadrant(at));
    let Quadrant { x, y, .. } = quadrants.next()?;
    let [west, east, north, south] =
        quadrants.fold([x, x, y, y], |[west, east, north, south], Quadrant { x, y, .. }| {
            [west.min(x), east.max(x), north.min(y), south.max(y)]
        });
    let [first, last] = [(west, north), (east, south)].map(|(x, y)| Quadrant { zoom: BOTTOM, x, y }.bounds());
    Some(Extent {
        west: first.west.max(-180.0),
        south: last.south.max(-MERCATOR_LATITUDE),
        east: last.east.min(180.0),
        north: first.north.min(MERCATOR_LATITUDE),
    })
}
