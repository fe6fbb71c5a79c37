//! Small circles on the web map. Comparing these with quadrants is much faster than computing distances on
//! the globe.

use std::f64::consts::PI;

use super::area::{Circle, Relation};
use super::curve::Quadrant;
use crate::position::{EARTH_KM, MERCATOR_LATITUDE};

/// The maximum radius, in kilometers. The scale of the map varies too much within larger circles.
const MAX_KM: f64 = 100.0;

/// An upper bound on rounding errors, in map coordinates. The map's width is 1.
const MARGIN: f64 = 1e-11;

/// Two circles on the map, with the same center as a circle on the globe. All points inside the inner circle
/// are inside the circle on the globe, and all points outside the outer circle are outside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MapCircle {
    x: f64,
    y: f64,
    inner: f64,
    outer: f64,
}

impl MapCircle {
    /// Creates the two circles. Returns `None` if the circle on the globe is too large or extends beyond the
    /// edges of the map.
    ///
    /// The map stretches each path in the circle by a factor between the lowest and the highest scale at the
    /// circle's latitudes. The scale at a latitude is the reciprocal of the latitude's cosine.
    pub(super) fn new(Circle { center, km }: &Circle) -> Option<Self> {
        let degrees = (km / EARTH_KM).to_degrees();
        let (north, south) = (center.latitude + degrees, center.latitude - degrees);
        let farthest_from_equator = north.max(-south);
        if *km > MAX_KM || farthest_from_equator > MERCATOR_LATITUDE {
            return None;
        }
        let nearest_to_equator = 0.0_f64.clamp(south, north);
        let radius = |latitude: f64| km / (2.0 * PI * EARTH_KM) / latitude.to_radians().cos();
        let (inner, outer) = (radius(nearest_to_equator) - MARGIN, radius(farthest_from_equator) + MARGIN);
        let [x, y] = center.to_web_map();
        (x > outer && x + outer < 1.0).then_some(Self { x, y, inner, outer })
    }

    pub(super) fn relation(&self, quadrant: Quadrant) -> Relation {
        let side = 1.0 / f64::from(1_u32 << quadrant.zoom);
        let (left, top) = (f64::from(quadrant.x) * side - self.x, f64::from(quadrant.y) * side - self.y);
        let (right, bottom) = (left + side, top + side);
        let nearest = |low: f64, high: f64| low.max(-high).max(0.0);
        let farthest = |low: f64, high: f64| high.max(-low);
        let distance = |x: f64, y: f64| x * x + y * y;
        if distance(nearest(left, right), nearest(top, bottom)) > self.outer * self.outer {
            Relation::Outside
        } else if self.inner > 0.0
            && distance(farthest(left, right), farthest(top, bottom)) < self.inner * self.inner
        {
            Relation::Inside
        } else {
            Relation::Across
        }
    }
}
