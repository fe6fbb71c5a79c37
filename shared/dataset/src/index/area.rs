//! Geographic search areas, and their relation to quadrants of the curve.

use super::curve::Bounds;
use crate::position::{EARTH_KM, Position, UnitVector, great_circle_km};

/// The maximum rounding error of a distance, in kilometres. Near the antipode, where the error is largest,
/// it's tens of centimetres.
const MARGIN_KM: f64 = 1e-3;

/// All points within a great-circle distance of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The centre.
    pub center: Position,
    /// The radius in kilometres.
    pub km: f64,
}

/// All points between two meridians and two parallels, including the boundaries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The latitude of the northern edge.
    pub north: f64,
    /// The latitude of the southern edge; at most the northern one.
    pub south: f64,
    /// The longitude of the western edge.
    pub west: f64,
    /// The longitude of the eastern edge. It's less than the western one if the rectangle crosses the
    /// antimeridian.
    pub east: f64,
}

/// A search area, prepared for comparison with points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Area {
    Circle { center: UnitVector, km: f64 },
    Rectangle(Rectangle),
}

/// The relation of a quadrant to an area.
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

/// Returns bounds of the distances to all points of a quadrant, in kilometres. The lower bound can be
/// negative. To get the quadrant's radius, assume that all its parallels are as long as the longest one: on
/// such a chart, a straight line to a corner is at least as long as the great circle.
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

    /// Returns one or two ranges of longitudes. A range that ends at the antimeridian includes it as both 180
    /// and -180.
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
