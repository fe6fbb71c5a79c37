//! Where the spots are, and which of them lie within an area.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::F64;

use super::{Circle, Rectangle};
use crate::file::{FileWriter, Rows, SectionFile};
use crate::globe::{EARTH_KM, km_between, point};
use crate::morton::{Bounds, Cell, Morton};
use crate::{Position, ReleaseError};

/// Fewer points are looked at one by one rather than divided further.
const FEW: usize = 64;

/// What rounding could add to a distance, in kilometres: a millimetre.
const MARGIN_KM: f64 = 1e-6;

/// Where the spots are. The column in Morton order holds those that are measured.
#[derive(Clone, Debug)]
pub(super) struct Points {
    latitudes: Rows<F64>,
    longitudes: Rows<F64>,
    morton: Morton,
}

/// How a cell lies to an area.
enum Cover {
    Inside,
    Outside,
    Across,
}

/// The points of an area: whole ranges of the column, and single ones.
#[derive(Default)]
struct Taken {
    ranges: Vec<Range<usize>>,
    single: Vec<u32>,
}

impl Points {
    pub(super) fn open(file: &SectionFile) -> Result<Self, ReleaseError> {
        Ok(Self {
            latitudes: file.rows("points.latitudes")?,
            longitudes: file.rows("points.longitudes")?,
            morton: Morton::open(file, "points")?,
        })
    }

    pub(super) fn write(file: &mut FileWriter, positions: &[Position], measured: &[bool]) {
        let degrees = |of: fn(&Position) -> f64| positions.iter().map(of).map(F64::new).collect::<Vec<F64>>();
        file.rows("points.latitudes", &degrees(|position| position.latitude));
        file.rows("points.longitudes", &degrees(|position| position.longitude));
        let measured = positions.iter().zip(measured).zip(0..).filter(|((_, is_measured), _)| **is_measured);
        Morton::write(file, "points", measured.map(|((position, _), spot)| (spot, *position)));
    }

    pub(super) fn lengths(&self) -> [usize; 2] {
        [self.latitudes.len(), self.longitudes.len()]
    }

    pub(super) fn position(&self, spot: u32) -> Position {
        let spot = spot as usize;
        Position { latitude: self.latitudes[spot].get(), longitude: self.longitudes[spot].get() }
    }

    /// Returns the measured spots in Morton order.
    pub(super) fn morton(&self) -> &Morton {
        &self.morton
    }

    /// Returns the measured spots within a circle; of the others, it may hold any.
    pub(super) fn within_circle(&self, circle: &Circle) -> FixedBitSet {
        let Circle { center, km } = *circle;
        let center = point(center);
        self.within(&|bounds| cover_of_circle(center, km, bounds), &|position| {
            km_between(center, point(position)) <= km
        })
    }

    /// Returns the measured spots within a rectangle; of the others, it may hold any.
    pub(super) fn within_rectangle(&self, rectangle: &Rectangle) -> FixedBitSet {
        self.within(&|bounds| rectangle.cover(bounds), &|position| rectangle.holds(position))
    }

    /// Checks that positions are positions, and the column holds the measured spots.
    pub(super) fn check(&self, measured: &dyn Fn(u32) -> bool) -> Result<(), String> {
        let spots = 0..super::count(self.latitudes.len());
        let is_on_earth = |spot: u32| {
            let Position { latitude, longitude } = self.position(spot);
            (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)
        };
        if let Some(spot) = spots.clone().find(|spot| !is_on_earth(*spot)) {
            return Err(format!("points: that of spot {spot} is no position"));
        }
        let position = |spot: u32| (spots.contains(&spot) && measured(spot)).then(|| self.position(spot));
        let count = spots.clone().filter(|spot| measured(*spot)).count();
        self.morton.check(count, position).map_err(|reason| format!("points: {reason}"))
    }

    fn within(&self, cover: &dyn Fn(Bounds) -> Cover, holds: &dyn Fn(Position) -> bool) -> FixedBitSet {
        let mut taken = Taken::default();
        self.take(Cell::ROOT, 0..self.morton.len(), cover, holds, &mut taken);
        let Taken { ranges, single } = taken;
        let mut spots = FixedBitSet::with_capacity(self.latitudes.len());
        if ranges.iter().map(ExactSizeIterator::len).sum::<usize>() * 2 <= self.morton.len() {
            let inside = ranges.into_iter().flat_map(|range| self.morton.items(range));
            inside.for_each(|spot| spots.insert(spot as usize));
        } else {
            // Most are inside: it takes less to leave out the others.
            spots.insert_range(..);
            let ends = ranges.iter().map(|range| range.end);
            let starts = ranges.iter().map(|range| range.start).chain([self.morton.len()]);
            let outside = std::iter::once(0).chain(ends).zip(starts).flat_map(|(from, to)| self.morton.items(from..to));
            outside.for_each(|spot| spots.remove(spot as usize));
        }
        single.into_iter().for_each(|spot| spots.insert(spot as usize));
        spots
    }

    /// Takes what an area holds of a cell, whose points are a range of the column. Ranges are taken in their order.
    fn take(
        &self,
        cell: Cell,
        range: Range<usize>,
        cover: &dyn Fn(Bounds) -> Cover,
        holds: &dyn Fn(Position) -> bool,
        taken: &mut Taken,
    ) {
        if range.is_empty() {
            return;
        }
        let children = match cover(cell.bounds()) {
            Cover::Outside => return,
            Cover::Inside => return taken.ranges.push(range),
            Cover::Across => cell.children().filter(|_| range.len() > FEW),
        };
        let Some(children) = children else {
            return taken.single.extend(self.morton.items(range).filter(|spot| holds(self.position(*spot))));
        };
        for child in children {
            self.take(child, self.morton.of_cell(child, range.clone()), cover, holds, taken);
        }
    }
}

/// Tells how a cell lies to a circle. No point of it is farther from its middle than along half its meridian and half
/// its widest parallel, whatever way is shorter.
fn cover_of_circle(center: [f64; 3], km: f64, bounds: Bounds) -> Cover {
    if km >= std::f64::consts::PI * EARTH_KM {
        return Cover::Inside;
    }
    let Bounds { north, south, west, east } = bounds;
    let middle = Position { latitude: north.midpoint(south), longitude: west.midpoint(east) };
    let nearest_to_equator = 0.0_f64.clamp(south, north);
    let half_width = nearest_to_equator.to_radians().cos() * ((east - west) / 2.0).to_radians();
    let reach = EARTH_KM * (((north - south) / 2.0).to_radians() + half_width) + MARGIN_KM;
    let distance = km_between(center, point(middle));
    if distance + reach <= km {
        Cover::Inside
    } else if distance - reach > km {
        Cover::Outside
    } else {
        Cover::Across
    }
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

    /// Returns the one or two stretches between meridians.
    fn meridians(&self) -> impl Iterator<Item = (f64, f64)> {
        let Self { west, east, .. } = *self;
        let (first, second) = if west <= east { ((west, east), None) } else { ((west, 180.0), Some((-180.0, east))) };
        std::iter::once(first).chain(second)
    }
}
