//! Search areas (circles and rectangles), and tests of whether they contain points and quadrants of the
//! Z-order curve.

use std::cell::LazyCell;

use super::curve::{Bounds, Quadrant};
use super::map_circle::MapCircle;
use crate::position::{EARTH_KM, Position, UnitVector, great_circle_km};

/// An upper bound on the rounding error of a distance, in kilometers. The largest errors occur near the
/// antipode and are tens of centimeters.
const MARGIN_KM: f64 = 1e-3;

/// All points within a given great-circle distance of a center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The point from which distances are measured.
    pub center: Position,
    /// The maximum distance from the center, in kilometers.
    pub km: f64,
}

/// All points between two meridians and two parallels, including the edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The latitude of the northern edge, in degrees.
    pub north: f64,
    /// The latitude of the southern edge, in degrees. Must not be greater than `north`.
    pub south: f64,
    /// The longitude of the western edge, in degrees.
    pub west: f64,
    /// The longitude of the eastern edge, in degrees. It's less than `west` if the rectangle crosses the
    /// antimeridian.
    pub east: f64,
}

/// A circle, prepared for fast comparison with points and quadrants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreparedCircle {
    center: UnitVector,
    km: f64,
    on_map: Option<MapCircle>,
}

/// A search area, prepared for fast comparison with points and quadrants.
#[derive(Debug)]
pub(crate) enum Area<'a> {
    /// The union of the circles.
    Circles(&'a mut [PreparedCircle]),
    Rectangle(Rectangle),
}

/// Whether a quadrant is inside, outside, or partly inside a single circle or rectangle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Inside,
    Outside,
    Across,
}

/// Whether a quadrant is inside, outside, or partly inside a search area.
pub(super) enum Cover<'a> {
    Inside,
    Outside,
    /// The quadrant is partly inside the given circles or rectangle, and outside the rest of the area.
    Across(Area<'a>),
}

impl Area<'_> {
    /// Returns whether a position is in the area. `point` is the bottom-level quadrant that contains it.
    pub(super) fn holds(&self, point: Quadrant, position: impl FnOnce() -> Position) -> bool {
        match self {
            Self::Circles(circles) => {
                let vector = LazyCell::new(|| position().to_unit_vector());
                circles.iter().any(|circle| match circle.on_map.map(|on_map| on_map.relation(point)) {
                    Some(Relation::Inside) => true,
                    Some(Relation::Outside) => false,
                    Some(Relation::Across) | None => great_circle_km(circle.center, *vector) <= circle.km,
                })
            }
            Self::Rectangle(rectangle) => rectangle.holds(position()),
        }
    }

    /// Determines whether a quadrant is inside the area. This can reorder the circles.
    pub(super) fn cover(&mut self, quadrant: Quadrant) -> Cover<'_> {
        match self {
            Self::Circles(circles) => cover_of_circles(circles, quadrant),
            Self::Rectangle(rectangle) => match rectangle.relation(quadrant.bounds()) {
                Relation::Inside => Cover::Inside,
                Relation::Outside => Cover::Outside,
                Relation::Across => Cover::Across(Area::Rectangle(*rectangle)),
            },
        }
    }
}

impl From<&Circle> for PreparedCircle {
    fn from(circle: &Circle) -> Self {
        Self { center: circle.center.to_unit_vector(), km: circle.km, on_map: MapCircle::new(circle) }
    }
}

/// Determines whether a quadrant is inside any of the circles. Circles that intersect the quadrant without
/// enclosing it are moved to the front.
fn cover_of_circles(circles: &mut [PreparedCircle], quadrant: Quadrant) -> Cover<'_> {
    let enclosing = LazyCell::new(|| enclosing_circle(quadrant.bounds()));
    let mut across = 0;
    for at in 0..circles.len() {
        let PreparedCircle { center, km, on_map } = circles[at];
        let relation = match on_map {
            Some(on_map) => on_map.relation(quadrant),
            None => relation_of_circle(center, km, *enclosing),
        };
        match relation {
            Relation::Inside => return Cover::Inside,
            Relation::Outside => {}
            Relation::Across => {
                circles.swap(across, at);
                across += 1;
            }
        }
    }
    if across == 0 { Cover::Outside } else { Cover::Across(Area::Circles(&mut circles[..across])) }
}

fn relation_of_circle(center: UnitVector, km: f64, (middle, reach): (UnitVector, f64)) -> Relation {
    let distance = great_circle_km(center, middle);
    if distance + reach <= km || km >= std::f64::consts::PI * EARTH_KM {
        Relation::Inside
    } else if distance - reach > km {
        Relation::Outside
    } else {
        Relation::Across
    }
}

/// Returns a lower and an upper bound on the distance, in kilometers, from `center` to any point in a
/// quadrant. The lower bound can be negative.
pub(super) fn distances(center: UnitVector, bounds: Bounds) -> (f64, f64) {
    let (middle, reach) = enclosing_circle(bounds);
    let distance = great_circle_km(center, middle);
    (distance - reach, distance + reach)
}

/// Returns the center and the radius, in kilometers, of a circle that encloses a quadrant. The radius is the
/// distance from the center to a corner, computed on a plane where all of the quadrant's parallels are as
/// long as the longest one. No point in the quadrant is farther away than that.
fn enclosing_circle(bounds: Bounds) -> (UnitVector, f64) {
    let Bounds { north, south, west, east } = bounds;
    let middle = Position { latitude: north.midpoint(south), longitude: west.midpoint(east) };
    let nearest_to_equator = 0.0_f64.clamp(south, north);
    let half_width = nearest_to_equator.to_radians().cos() * ((east - west) / 2.0).to_radians();
    let reach = EARTH_KM * ((north - south) / 2.0).to_radians().hypot(half_width) + MARGIN_KM;
    (middle.to_unit_vector(), reach)
}

impl Rectangle {
    fn holds(&self, Position { latitude, longitude }: Position) -> bool {
        let is_between = self.meridians().any(|(west, east)| (west..=east).contains(&longitude));
        (self.south..=self.north).contains(&latitude) && is_between
    }

    fn relation(&self, bounds: Bounds) -> Relation {
        let Bounds { north, south, west, east } = bounds;
        let touches = self.meridians().any(|(from, to)| west <= to && east >= from);
        if south > self.north || north < self.south || !touches {
            return Relation::Outside;
        }
        let is_between = self.meridians().any(|(from, to)| west >= from && east <= to);
        if is_between && south >= self.south && north <= self.north {
            Relation::Inside
        } else {
            Relation::Across
        }
    }

    /// Returns the rectangle's longitudes as one or two ranges. If an edge is on the antimeridian, the ranges
    /// include both 180 and -180.
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
