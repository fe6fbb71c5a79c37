//! Search areas, which are circles and rectangles, and their comparison with quadrants of the Z-order curve.

use super::curve::Bounds;
use crate::position::{EARTH_KM, Position, UnitVector, great_circle_km};

/// An upper bound for the rounding error of a distance, in kilometers. The largest errors, near the antipode,
/// are tens of centimeters.
const MARGIN_KM: f64 = 1e-3;

/// All points within a great-circle distance of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The center of the circle.
    pub center: Position,
    /// The radius, in kilometers.
    pub km: f64,
}

/// All points between two meridians and two parallels, including the points on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The latitude of the northern edge, in degrees.
    pub north: f64,
    /// The latitude of the southern edge, in degrees. It's at most the northern latitude.
    pub south: f64,
    /// The longitude of the western edge, in degrees.
    pub west: f64,
    /// The longitude of the eastern edge, in degrees. It's less than the western longitude if the rectangle
    /// crosses the antimeridian.
    pub east: f64,
}

/// A search area in a form that allows fast comparison with points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Area {
    Circle { center: UnitVector, km: f64 },
    Rectangle(Rectangle),
}

/// The relation of a quadrant to a search area: fully inside, fully outside, or partly inside.
pub(super) enum Cover {
    Inside,
    Outside,
    Across,
}

impl Area {
    pub(super) fn holds(&self, position: Position) -> bool {
        match self {
            Self::Circle { center, km } => great_circle_km(*center, position.to_unit_vector()) <= *km,
            Self::Rectangle(rectangle) => rectangle.holds(position),
        }
    }

    pub(super) fn cover(&self, bounds: Bounds) -> Cover {
        match self {
            Self::Circle { center, km } => cover_of_circle(*center, *km, bounds),
            Self::Rectangle(rectangle) => rectangle.cover(bounds),
        }
    }
}

impl From<&Circle> for Area {
    fn from(Circle { center, km }: &Circle) -> Self {
        Self::Circle { center: center.to_unit_vector(), km: *km }
    }
}

impl From<&Rectangle> for Area {
    fn from(rectangle: &Rectangle) -> Self {
        Self::Rectangle(*rectangle)
    }
}

fn cover_of_circle(center: UnitVector, km: f64, bounds: Bounds) -> Cover {
    if km >= std::f64::consts::PI * EARTH_KM {
        return Cover::Inside;
    }
    let (nearest, farthest) = distances(center, bounds);
    if farthest <= km {
        Cover::Inside
    } else if nearest > km {
        Cover::Outside
    } else {
        Cover::Across
    }
}

/// Returns a lower and an upper bound for the distances from `center` to the points of a quadrant, in
/// kilometers. The lower bound can be negative. The quadrant's radius is computed as if all its parallels
/// were as long as the longest one. A straight line to a corner is then at least as long as the great circle.
pub(super) fn distances(center: UnitVector, bounds: Bounds) -> (f64, f64) {
    let Bounds { north, south, west, east } = bounds;
    let middle = Position { latitude: north.midpoint(south), longitude: west.midpoint(east) };
    let nearest_to_equator = 0.0_f64.clamp(south, north);
    let half_width = nearest_to_equator.to_radians().cos() * ((east - west) / 2.0).to_radians();
    let reach = EARTH_KM * ((north - south) / 2.0).to_radians().hypot(half_width) + MARGIN_KM;
    let distance = great_circle_km(center, middle.to_unit_vector());
    (distance - reach, distance + reach)
}

impl Rectangle {
    fn holds(&self, Position { latitude, longitude }: Position) -> bool {
        let is_between = self.meridians().any(|(west, east)| (west..=east).contains(&longitude));
        (self.south..=self.north).contains(&latitude) && is_between
    }

    fn cover(&self, bounds: Bounds) -> Cover {
        let Bounds { north, south, west, east } = bounds;
        let touches = self.meridians().any(|(from, to)| west <= to && east >= from);
        if south > self.north || north < self.south || !touches {
            return Cover::Outside;
        }
        let is_between = self.meridians().any(|(from, to)| west >= from && east <= to);
        if is_between && south >= self.south && north <= self.north { Cover::Inside } else { Cover::Across }
    }

    /// Returns the longitudes of the rectangle as one or two ranges. If an edge is on the antimeridian, the
    /// ranges include both 180 and -180.
    fn meridians(&self) -> impl Iterator<Item = (f64, f64)> {
        let Self { west, east, .. } = *self;
        let (first, second) = match (west, east) {
            _ if west > east => ((west, 180.0), Some((-180.0, east))),
            (-180.0, _) => ((west, east), Some((180.0, 180.0))),
            (_, 180.0) => ((west, east), Some((-180.0, -180.0))),
            _ => ((west, east), None),
        };
        std::iter::once(first).chain(second)
    }
}
