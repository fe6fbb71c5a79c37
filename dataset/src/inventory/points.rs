//! Where the spots are, and which of them lie within an area.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::{F64, I32};

use super::{Circle, Rectangle};
use crate::file::{FileWriter, Rows, SectionFile};
use crate::globe::{EARTH_KM, km_between, point};
use crate::morton::{Bounds, Cell, Morton};
use crate::{Position, ReleaseError};

/// Fewer points are looked at one by one rather than divided further.
const FEW: usize = 16;

/// What rounding could add to a distance, in kilometres: near the antipode, where it is worst, tens of centimetres.
const MARGIN_KM: f64 = 1e-3;

/// Where the spots are. The column in Morton order holds those that are measured.
#[derive(Clone, Debug)]
pub(super) struct Points {
    latitudes: Degrees,
    longitudes: Degrees,
    morton: Morton,
}

/// Degrees of each spot, exactly as they came: in ten-millionths where none has more decimals, which takes half the
/// room.
#[derive(Clone, Debug)]
enum Degrees {
    TenMillionths(Rows<I32>),
    Exact(Rows<F64>),
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
            latitudes: Degrees::open(file, "points.latitudes")?,
            longitudes: Degrees::open(file, "points.longitudes")?,
            morton: Morton::open(file, "points")?,
        })
    }

    pub(super) fn write(file: &mut FileWriter, positions: &[Position], measured: &[bool]) {
        Degrees::write(file, "points.latitudes", positions.iter().map(|position| position.latitude));
        Degrees::write(file, "points.longitudes", positions.iter().map(|position| position.longitude));
        let measured = positions.iter().zip(measured).zip(0..).filter(|((_, is_measured), _)| **is_measured);
        Morton::write(file, "points", measured.map(|((position, _), spot)| (spot, *position)));
    }

    pub(super) fn lengths(&self) -> [usize; 2] {
        [self.latitudes.len(), self.longitudes.len()]
    }

    pub(super) fn position(&self, spot: u32) -> Position {
        Position { latitude: self.latitudes.get(spot), longitude: self.longitudes.get(spot) }
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

impl Degrees {
    fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let exact: Rows<F64> = file.rows(section)?;
        if exact.is_empty() {
            return file.rows(&ten_millionths_of(section)).map(Self::TenMillionths);
        }
        Ok(Self::Exact(exact))
    }

    fn write(file: &mut FileWriter, section: &str, degrees: impl Iterator<Item = f64> + Clone) {
        let rounded: Option<Vec<I32>> = degrees.clone().map(ten_millionths).collect();
        let exact = if rounded.is_some() { Vec::new() } else { degrees.map(F64::new).collect() };
        file.rows::<F64>(section, &exact);
        file.rows(&ten_millionths_of(section), &rounded.unwrap_or_default());
    }

    fn get(&self, spot: u32) -> f64 {
        match self {
            Self::TenMillionths(degrees) => f64::from(degrees[spot as usize].get()) / 1e7,
            Self::Exact(degrees) => degrees[spot as usize].get(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::TenMillionths(degrees) => degrees.len(),
            Self::Exact(degrees) => degrees.len(),
        }
    }
}

/// Returns degrees in ten-millionths, where that is exactly what they are.
fn ten_millionths(degrees: f64) -> Option<I32> {
    let rounded = (degrees * 1e7).round() as i32;
    // -0 would lose its sign.
    let is_same = (f64::from(rounded) / 1e7).to_bits() == degrees.to_bits();
    is_same.then(|| I32::new(rounded))
}

fn ten_millionths_of(section: &str) -> String {
    format!("{section}.e7")
}

/// Tells how a cell lies to a circle. No point of it is farther from its middle than a corner would be if all its
/// parallels were as long as the longest: a straight line on such a chart is no shorter than the great circle.
fn cover_of_circle(center: [f64; 3], km: f64, bounds: Bounds) -> Cover {
    if km >= std::f64::consts::PI * EARTH_KM {
        return Cover::Inside;
    }
    let Bounds { north, south, west, east } = bounds;
    let middle = Position { latitude: north.midpoint(south), longitude: west.midpoint(east) };
    let nearest_to_equator = 0.0_f64.clamp(south, north);
    let half_width = nearest_to_equator.to_radians().cos() * ((east - west) / 2.0).to_radians();
    let reach = EARTH_KM * ((north - south) / 2.0).to_radians().hypot(half_width) + MARGIN_KM;
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

    /// Returns the one or two stretches between meridians. One that ends at the antimeridian holds it under both names.
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Opens what is written of positions.
    fn points(positions: &[Position], measured: &[bool]) -> Points {
        let mut file = FileWriter::default();
        Points::write(&mut file, positions, measured);
        let points = Points::open(&file.opened()).unwrap();
        points.check(&|spot| measured[spot as usize]).unwrap();
        points
    }

    fn degrees() -> impl Strategy<Value = Position> {
        let town = (40.7..40.72_f64, -74.0..-73.98_f64);
        prop_oneof![
            4 => town,
            1 => (-90.0..=90.0, -180.0..=180.0),
            1 => (Just(40.71), Just(-73.99)),
            1 => (prop_oneof![Just(90.0), Just(-90.0), 85.0..=90.0, -90.0..=-85.0], -180.0..=180.0),
            1 => (-90.0..=90.0, prop_oneof![Just(180.0), Just(-180.0), 179.9..=180.0, -180.0..=-179.9]),
            1 => (-40.72..-40.7, 106.0..106.02),
        ]
        .prop_map(|(latitude, longitude)| Position { latitude, longitude })
    }

    fn kilometres() -> impl Strategy<Value = f64> {
        let half_way_round = std::f64::consts::PI * EARTH_KM;
        prop_oneof![
            0.0..3.0_f64,
            0.0..20_100.0_f64,
            (half_way_round - 2.0)..half_way_round,
            (half_way_round - 1e-4)..half_way_round,
            Just(0.0),
            Just(half_way_round),
            Just(f64::MAX),
        ]
    }

    fn is_between(rectangle: &Rectangle, Position { latitude, longitude }: Position) -> bool {
        let Rectangle { north, south, west, east } = *rectangle;
        let is_east_of_west = |longitude: f64| match west <= east {
            true => (west..=east).contains(&longitude),
            false => longitude >= west || longitude <= east,
        };
        let is_inside = is_east_of_west(longitude) || longitude.abs() == 180.0 && is_east_of_west(-longitude);
        (south..=north).contains(&latitude) && is_inside
    }

    proptest! {
        #[test]
        fn finds_the_points_that_a_plain_loop_finds(
            (positions, measured) in vec((degrees(), prop::bool::weighted(0.9)), 0..600).prop_map(|all| all.into_iter().unzip()),
            searches in vec((degrees(), degrees(), kilometres()), 1..8),
            are_rounded in any::<bool>(),
        ) {
            let (mut positions, measured): (Vec<Position>, Vec<bool>) = (positions, measured);
            if are_rounded {
                let rounded = |degrees: f64| (degrees * 1e7).round() / 1e7;
                positions.iter_mut().for_each(|Position { latitude, longitude }| {
                    (*latitude, *longitude) = (rounded(*latitude), rounded(*longitude));
                });
            }
            let points = points(&positions, &measured);
            prop_assert!((0..).zip(&positions).all(|(spot, position)| points.position(spot) == *position));
            let taken = |found: FixedBitSet| found.ones().filter(|spot| measured[*spot]).collect::<Vec<usize>>();
            let plain = |holds: &dyn Fn(Position) -> bool| {
                (0..positions.len()).filter(|spot| measured[*spot] && holds(positions[*spot])).collect::<Vec<usize>>()
            };
            for (one, other, km) in searches {
                let circle = Circle { center: one, km };
                let near = plain(&|position| km_between(point(one), point(position)) <= km);
                prop_assert_eq!(taken(points.within_circle(&circle)), near, "{:?}", circle);
                let (north, south) = (one.latitude.max(other.latitude), one.latitude.min(other.latitude));
                let rectangle = Rectangle { north, south, west: one.longitude, east: other.longitude };
                let inside = plain(&|position| is_between(&rectangle, position));
                prop_assert_eq!(taken(points.within_rectangle(&rectangle)), inside, "{:?}", rectangle);
            }
        }
    }
}
