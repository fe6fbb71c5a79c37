//! Areas on the globe, and how a quadrant of the curve lies to them.

use super::curve::Bounds;
use crate::position::{EARTH_KM, Position, UnitVector, great_circle_km};

/// What rounding could add to a distance, in kilometres: near the antipode, where it is worst, tens of
/// centimetres.
const MARGIN_KM: f64 = 1e-3;

/// All points at most so far from a point, over the great circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its middle.
    pub center: Position,
    /// How far it reaches, in kilometres.
    pub km: f64,
}

/// All points between two meridians and two parallels, all four included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The northern parallel, in degrees north.
    pub north: f64,
    /// The southern parallel, in degrees north; at most the northern one.
    pub south: f64,
    /// The western meridian, in degrees east.
    pub west: f64,
    /// The eastern meridian, in degrees east; west of the western one when the antimeridian is crossed.
    pub east: f64,
}

/// An area as points are compared with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Area {
    Circle { center: UnitVector, km: f64 },
    Rectangle(Rectangle),
}

/// How a quadrant lies to an area.
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

/// Returns kilometres between which the distances of all points of a quadrant lie; the lower bound may be
/// negative. No point of it is farther from its middle than a corner would be if all its parallels were as
/// long as the longest: a straight line on such a chart is no shorter than the great circle.
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

    /// Returns the one or two stretches between meridians. One that ends at the antimeridian holds it under
    /// both names.
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
