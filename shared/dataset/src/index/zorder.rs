//! Finds the documents in an area, using the order of their points on the Z-order curve.

use std::ops::Range;

use zerocopy::little_endian::U32;

use super::area::{Area, Circle, Cover, PreparedCircle, Rectangle};
use super::curve::{Quadrant, key};
use super::point_keys::PointKeys;
use super::set::Set;
use super::set_builder::SetBuilder;
use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const KEYS: &str = "keys";

/// Quadrants with at most this many points aren't divided further. Their points are checked one by one.
const FEW: usize = 16;

/// Documents, sorted by the position of their points on the curve.
#[derive(Clone, Debug)]
pub(crate) struct ZOrder {
    pub(crate) keys: PointKeys,
    documents: Rows<U32>,
}

impl ZOrder {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { keys: PointKeys::open(file, &subsection(section, KEYS))?, documents: file.rows(section)? })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, points: impl Iterator<Item = (u32, Position)>) {
        let mut keyed: Vec<(u64, u32)> =
            points.map(|(document, position)| (key(position), document)).collect();
        keyed.sort_unstable();
        PointKeys::write(file, &subsection(section, KEYS), keyed.iter().map(|(key, _)| *key));
        file.rows(section, &keyed.iter().map(|(_, document)| U32::new(*document)).collect::<Vec<U32>>());
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns the document at index `at` on the curve.
    pub(crate) fn document(&self, at: usize) -> u32 {
        self.documents[at].get()
    }

    /// Returns a set of documents for each given area, with the caveat described for
    /// [`within`](Self::within).
    pub(crate) fn within_each(
        &self,
        circle: &Option<Circle>,
        rectangle: &Option<Rectangle>,
        documents: usize,
        position: impl Fn(u32) -> Position,
    ) -> Vec<Set<'static>> {
        let circle = circle.as_slice().iter().map(std::slice::from_ref);
        let mut sets: Vec<_> = circle.map(|one| self.within_any(one, documents, &position)).collect();
        sets.extend(rectangle.map(|one| self.within(Area::Rectangle(one), documents, &position)));
        sets
    }

    /// Returns the documents in any of the circles, with the caveat described for [`within`](Self::within).
    pub(crate) fn within_any(
        &self,
        circles: &[Circle],
        documents: usize,
        position: impl Fn(u32) -> Position,
    ) -> Set<'static> {
        let mut circles: Vec<PreparedCircle> = circles.iter().map(PreparedCircle::from).collect();
        self.within(Area::Circles(&mut circles), documents, position)
    }

    /// Returns the documents in an area. `documents` is the total number of documents. The result can also
    /// contain documents that aren't on this curve, and the caller must exclude those.
    fn within(
        &self,
        mut area: Area<'_>,
        documents: usize,
        position: impl Fn(u32) -> Position,
    ) -> Set<'static> {
        let mut taken = Taken::default();
        self.take(Quadrant::ROOT, 0..self.len(), &mut area, &position, &mut taken);
        let Taken { ranges, single } = taken;
        let mut set = if ranges.iter().map(ExactSizeIterator::len).sum::<usize>() * 2 <= self.len() {
            let mut inside = SetBuilder::new(documents);
            ranges.into_iter().for_each(|range| inside.add_list(&self.documents[range]));
            inside
        } else {
            // Most points are inside the area, so it's faster to start from all documents and remove those
            // outside.
            let mut all = SetBuilder::full(documents);
            let ends = ranges.iter().map(|range| range.end);
            let starts = ranges.iter().map(|range| range.start).chain([self.len()]);
            let outside =
                std::iter::once(0).chain(ends).zip(starts).flat_map(|(from, to)| &self.documents[from..to]);
            outside.for_each(|document| all.remove(document.get()));
            all
        };
        set.add_list(&single);
        set.finish()
    }

    /// Adds the points of a quadrant to `taken` if they're inside an area. Quadrants must be visited in curve
    /// order.
    fn take(
        &self,
        quadrant: Quadrant,
        range: Range<usize>,
        area: &mut Area<'_>,
        position: &dyn Fn(u32) -> Position,
        taken: &mut Taken,
    ) {
        if range.is_empty() {
            return;
        }
        let mut area = match area.cover(quadrant) {
            Cover::Outside => return,
            Cover::Inside => return taken.ranges.push(range),
            Cover::Across(area) => area,
        };
        let Some(children) = quadrant.children().filter(|_| range.len() > FEW) else {
            let holds =
                |at: &usize| area.holds(self.keys.quadrant(*at), || position(self.documents[*at].get()));
            return taken.single.extend(range.filter(holds).map(|at| self.documents[at]));
        };
        let mut start = range.start;
        for child in children {
            let of_child = start..self.keys.end_of(child, start..range.end);
            start = of_child.end;
            self.take(child, of_child, &mut area, position, taken);
        }
    }
}

/// The points found in an area: whole ranges of the curve and single documents.
#[derive(Default)]
struct Taken {
    ranges: Vec<Range<usize>>,
    single: Vec<U32>,
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::position::{EARTH_KM, great_circle_km};

    /// Writes and opens a curve of the positions whose entry in `has_point` is true.
    fn points(positions: &[Position], has_point: &[bool]) -> ZOrder {
        let all =
            || (0..).zip(positions.iter().copied()).filter(|(document, _)| has_point[*document as usize]);
        let mut file = FileWriter::default();
        ZOrder::write(&mut file, "points", all());
        ZOrder::open(&file.opened(), "points").unwrap()
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

    fn kilometers() -> impl Strategy<Value = f64> {
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
        fn matches_a_linear_scan(
            all in vec((degrees(), prop::bool::weighted(0.9)), 0..600),
            searches in vec((degrees(), degrees(), kilometers()), 1..8),
        ) {
            let (positions, has_point): (Vec<Position>, Vec<bool>) = all.into_iter().unzip();
            let points = points(&positions, &has_point);
            let position = |document: u32| positions[document as usize];
            let with_point = |found: Set<'_>| -> Vec<u32> {
                found.iter().filter(|document| has_point[*document as usize]).collect()
            };
            let plain = |holds: &dyn Fn(Position) -> bool| {
                let is_in = |document: &u32| has_point[*document as usize] && holds(positions[*document as usize]);
                (0..positions.len() as u32).filter(is_in).collect::<Vec<u32>>()
            };
            let holds = |circle: &Circle, position: Position| {
                great_circle_km(circle.center.to_unit_vector(), position.to_unit_vector()) <= circle.km
            };
            let circles: Vec<Circle> =
                searches.iter().map(|(center, _, km)| Circle { center: *center, km: *km }).collect();
            for count in 0..=circles.len() {
                let circles = &circles[..count];
                let near = plain(&|position| circles.iter().any(|circle| holds(circle, position)));
                let found = points.within_any(circles, positions.len(), position);
                prop_assert_eq!(with_point(found), near, "{:?}", circles);
            }
            for (one, other, _) in searches {
                let (north, south) = (one.latitude.max(other.latitude), one.latitude.min(other.latitude));
                let rectangle = Rectangle { north, south, west: one.longitude, east: other.longitude };
                let inside = plain(&|position| is_between(&rectangle, position));
                let found = points.within(Area::Rectangle(rectangle), positions.len(), position);
                prop_assert_eq!(with_point(found), inside, "{:?}", rectangle);
            }
        }
    }
}
