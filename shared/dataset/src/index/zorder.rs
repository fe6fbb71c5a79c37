//! Finds documents by area, using the order of their points on the Z-order curve.

use std::ops::Range;

use zerocopy::little_endian::U32;

use super::area::{Area, Circle, Cover, Rectangle};
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

/// Documents in the order of their points on the curve.
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

    /// Returns one set of documents for each given area, as described for [`within`](Self::within).
    pub(crate) fn within_each<'a>(
        &'a self,
        circle: &Option<Circle>,
        rectangle: &Option<Rectangle>,
        documents: usize,
        position: impl Fn(u32) -> Position,
    ) -> impl Iterator<Item = Set<'a>> {
        let areas = circle.iter().map(Area::from).chain(rectangle.iter().map(Area::from));
        areas.map(move |area| self.within(&area, documents, &position))
    }

    /// Returns the documents in an area. `documents` is the number of all documents. The result can also
    /// contain documents that have no point on this curve, so the caller must exclude them.
    fn within(&self, area: &Area, documents: usize, position: impl Fn(u32) -> Position) -> Set<'static> {
        let mut taken = Taken::default();
        self.take(Quadrant::ROOT, 0..self.len(), area, &position, &mut taken);
        let Taken { ranges, single } = taken;
        let mut set = if ranges.iter().map(ExactSizeIterator::len).sum::<usize>() * 2 <= self.len() {
            let mut inside = SetBuilder::new(documents);
            ranges.into_iter().for_each(|range| inside.add_list(&self.documents[range]));
            inside
        } else {
            // Most points are inside, so it's faster to remove the points outside.
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

    /// Adds the points of a quadrant that are inside an area to `taken`. Must be called in the order of the
    /// curve.
    fn take(
        &self,
        quadrant: Quadrant,
        range: Range<usize>,
        area: &Area,
        position: &dyn Fn(u32) -> Position,
        taken: &mut Taken,
    ) {
        if range.is_empty() {
            return;
        }
        let children = match area.cover(quadrant.bounds()) {
            Cover::Outside => return,
            Cover::Inside => return taken.ranges.push(range),
            Cover::Across => quadrant.children().filter(|_| range.len() > FEW),
        };
        let Some(children) = children else {
            let documents = self.documents[range].iter();
            return taken.single.extend(documents.filter(|document| area.holds(position(document.get()))));
        };
        for child in children {
            self.take(child, self.keys.of_quadrant(child, range.clone()), area, position, taken);
        }
    }
}

/// The points found in an area: whole ranges of the curve, and single documents.
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

    /// Writes the positions whose entry in `has_point` is true, and opens the result.
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
        fn matches_a_linear_scan(
            all in vec((degrees(), prop::bool::weighted(0.9)), 0..600),
            searches in vec((degrees(), degrees(), kilometres()), 1..8),
        ) {
            let (positions, has_point): (Vec<Position>, Vec<bool>) = all.into_iter().unzip();
            let points = points(&positions, &has_point);
            let within = |area: Area| {
                let found = points.within(&area, positions.len(), |document| positions[document as usize]);
                found.iter().filter(|document| has_point[*document as usize]).collect::<Vec<u32>>()
            };
            let plain = |holds: &dyn Fn(Position) -> bool| {
                let is_in = |document: &u32| has_point[*document as usize] && holds(positions[*document as usize]);
                (0..positions.len() as u32).filter(is_in).collect::<Vec<u32>>()
            };
            for (one, other, km) in searches {
                let circle = Circle { center: one, km };
                let center = one.to_unit_vector();
                let near = plain(&|position| great_circle_km(center, position.to_unit_vector()) <= km);
                prop_assert_eq!(within((&circle).into()), near, "{:?}", circle);
                let (north, south) = (one.latitude.max(other.latitude), one.latitude.min(other.latitude));
                let rectangle = Rectangle { north, south, west: one.longitude, east: other.longitude };
                let inside = plain(&|position| is_between(&rectangle, position));
                prop_assert_eq!(within((&rectangle).into()), inside, "{:?}", rectangle);
            }
        }
    }
}
