//! The first items by their distance from a point.
//!
//! A distance takes longer to compute than all else that sorting does to an item. So where there are many
//! items, the quadrants of the curve are gone through from the nearest on, or from the farthest, until there
//! are enough: few distances are computed, whatever the number of items. Where most points on the way were
//! not found, those that were are gathered, and only quadrants that have some are gone through.
//!
//! Decided in `docs/decisions/0031-sorting-and-comparing.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::area::distances;
use super::curve::Quadrant;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use super::zorder::ZOrder;
use crate::position::{CENTIMETRES, Distance, Position, UnitVector};

/// So few items are all measured.
const FEW_ITEMS: usize = 1_024;

/// A quadrant of so few points is not divided further.
const FEW_POINTS: usize = 64;

/// So many points more than expected are looked at in vain before those that were found are gathered: it
/// takes some 0.4 ms, where gathering them takes 1.5 ms of a million.
const MORE_POINTS: usize = 16_384;

/// Items that are sorted by their distance from a point. Each has a point on the curve.
pub(crate) struct DistanceOrder<'a, P> {
    pub(crate) points: &'a ZOrder,
    pub(crate) center: Position,
    pub(crate) position: P,
}

/// What may come next: the least key that it can have above an item's tie, and the number of a quadrant, or
/// [`ITEM`]. Of one key, quadrants come before items: an item of theirs may have the lower tie.
type Candidate = (u64, u32);

/// Stands for an item in the place of a quadrant's number.
const ITEM: u32 = u32::MAX;

/// A way through the quadrants.
struct Walk<'a, P> {
    center: UnitVector,
    descending: bool,
    ties: Ties<'a>,
    order: &'a DistanceOrder<'a, P>,
    found: FoundPoints<'a>,
    /// The quadrants that were met, each with where its points are on the curve.
    quadrants: Vec<(Quadrant, Range<usize>)>,
    candidates: BinaryHeap<Reverse<Candidate>>,
}

/// The points of a curve that were found. They are told from the others one by one, until that has been in
/// vain too often.
struct FoundPoints<'a> {
    points: &'a ZOrder,
    found: &'a Set<'a>,
    /// How many points that were not found may still be passed.
    patience: usize,
    /// Where on the curve all that were found are, ascending, once they have been gathered.
    gathered: Option<Vec<u32>>,
}

impl<P: Fn(u32) -> Position> DistanceOrder<'_, P> {
    /// Returns the ties of the first items of some, of so many that there are.
    pub(crate) fn first(&self, found: &Set<'_>, order: Order, ties: Ties<'_>, items: usize) -> Vec<u32> {
        let center = self.center.to_unit_vector();
        // Those that are found lie anywhere among all, so as many as this are passed before there are enough.
        let passed = order.k.saturating_mul(self.points.len()) / found.len().max(1);
        if found.len() <= FEW_ITEMS || passed >= found.len() {
            return order.first(found.iter(), |item| 1 + self.distance(center, item).centimetres(), ties);
        }
        // Each item is looked up, which bits are made for.
        let mut bits = SetBuilder::new(items);
        let found = if let Set::List(list) = found {
            bits.add_list(list);
            &bits.finish()
        } else {
            found
        };
        let found =
            FoundPoints { points: self.points, found, patience: passed + MORE_POINTS, gathered: None };
        let (quadrants, candidates) = (Vec::new(), BinaryHeap::new());
        let Order { k, descending } = order;
        Walk { center, descending, ties, order: self, found, quadrants, candidates }.first(k)
    }

    fn distance(&self, center: UnitVector, item: u32) -> Distance {
        Distance::between(center, (self.position)(item).to_unit_vector())
    }
}

impl<P: Fn(u32) -> Position> Walk<'_, P> {
    fn first(mut self, k: usize) -> Vec<u32> {
        let mut first = Vec::with_capacity(k);
        self.add_quadrant(Quadrant::ROOT, 0..self.order.points.len());
        while first.len() < k {
            let Some(Reverse((rank, quadrant))) = self.candidates.pop() else { break };
            match quadrant {
                ITEM => first.push(rank as u32),
                quadrant => self.divide(quadrant),
            }
        }
        first
    }

    fn divide(&mut self, quadrant: u32) {
        let (quadrant, range) = self.quadrants[quadrant as usize].clone();
        let children = quadrant.children().filter(|_| self.found.at_most(&range) > FEW_POINTS);
        let Some(children) = children else {
            return self.found.items(range).into_iter().for_each(|item| self.add_item(item));
        };
        for child in children {
            self.add_quadrant(child, self.order.points.keys.of_quadrant(child, range.clone()));
        }
    }

    fn add_quadrant(&mut self, quadrant: Quadrant, range: Range<usize>) {
        if self.found.at_most(&range) == 0 {
            return;
        }
        let (nearest, farthest) = distances(self.center, quadrant.bounds());
        let key = if self.descending {
            u32::MAX - (farthest * CENTIMETRES).ceil() as u32
        } else {
            (nearest * CENTIMETRES).floor() as u32
        };
        self.candidates.push(Reverse((u64::from(key) << u32::BITS, self.quadrants.len() as u32)));
        self.quadrants.push((quadrant, range));
    }

    fn add_item(&mut self, item: u32) {
        let centimetres = self.order.distance(self.center, item).centimetres();
        let key = if self.descending { u32::MAX - centimetres } else { centimetres };
        let tie = self.ties.map_or(item, |ties| ties[item as usize].get());
        self.candidates.push(Reverse((u64::from(key) << u32::BITS | u64::from(tie), ITEM)));
    }
}

impl FoundPoints<'_> {
    /// Returns how many of a range were found; as long as they have not been gathered, how many it has.
    fn at_most(&self, range: &Range<usize>) -> usize {
        self.gathered.as_ref().map_or(range.len(), |gathered| within(gathered, range).len())
    }

    /// Returns the items of a range that were found.
    fn items(&mut self, range: Range<usize>) -> Vec<u32> {
        if self.patience == 0 && self.gathered.is_none() {
            self.gathered = Some(self.gather());
        }
        if let Some(gathered) = &self.gathered {
            return within(gathered, &range).iter().map(|at| self.points.item(*at as usize)).collect();
        }
        let all = range.len();
        let is_found = |item: &u32| self.found.contains(*item);
        let found: Vec<u32> = range.map(|at| self.points.item(at)).filter(is_found).collect();
        self.patience = self.patience.saturating_sub(all - found.len());
        found
    }

    fn gather(&self) -> Vec<u32> {
        let points = u32::try_from(self.points.len()).expect("fewer than four thousand million items");
        (0..points).filter(|at| self.found.contains(self.points.item(*at as usize))).collect()
    }
}

/// Returns the places of a range, of ascending ones.
fn within<'a>(places: &'a [u32], range: &Range<usize>) -> &'a [u32] {
    let rest = &places[places.partition_point(|at| (*at as usize) < range.start)..];
    &rest[..rest.partition_point(|at| (*at as usize) < range.end)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use zerocopy::little_endian::U32;

    use super::*;
    use crate::release::file::FileWriter;

    const ITEMS: u32 = 6_000;

    /// More than are looked at one by one, so that what lies far behind them is gathered.
    const CROWD: u32 = 20_000;

    fn written(positions: &[Position]) -> ZOrder {
        let mut file = FileWriter::default();
        ZOrder::write(&mut file, "points", (0..).zip(positions.iter().copied()));
        ZOrder::open(&file.opened(), "points").unwrap()
    }

    fn bits(items: impl Iterator<Item = u32>, all: usize) -> Set<'static> {
        let mut bits = SetBuilder::new(all);
        bits.add(&Set::of_ascending(items));
        bits.finish()
    }

    /// Holds the first of those that were found, from a point on, to all of them sorted.
    fn compare(
        points: &ZOrder,
        positions: &[Position],
        center: Position,
        found: &Set<'_>,
        order: Order,
    ) -> Result<(), TestCaseError> {
        let items = positions.len() as u32;
        let by_distance = DistanceOrder { points, center, position: |item| positions[item as usize] };
        let key = |item: u32| {
            let at = positions[item as usize].to_unit_vector();
            let distance = i64::from(Distance::between(center.to_unit_vector(), at).centimetres());
            if order.descending { -distance } else { distance }
        };
        let ties: Vec<U32> = (0..items).map(|item| U32::new((item * 7 + 3) % items)).collect();
        for ties in [None, Some(&*ties)] {
            let tie = |item: u32| ties.map_or(item, |ties| ties[item as usize].get());
            let mut sorted: Vec<(i64, u32)> = found.iter().map(|item| (key(item), tie(item))).collect();
            sorted.sort_unstable();
            let expected: Vec<u32> = sorted.into_iter().take(order.k).map(|(_, tie)| tie).collect();
            prop_assert_eq!(by_distance.first(found, order, ties, positions.len()), expected);
        }
        Ok(())
    }

    fn degrees() -> impl Strategy<Value = Position> {
        let anywhere = (-90.0..=90.0, -180.0..=180.0_f64);
        let at_antimeridian = (50.0..52.0, prop_oneof![179.0..=180.0, -180.0..=-179.0_f64]);
        let at_pole = (prop_oneof![89.0..=90.0, -90.0..=-89.0], -180.0..=180.0_f64);
        prop_oneof![6 => (40.0..41.0, -75.0..-74.0_f64), 1 => anywhere, 1 => at_antimeridian, 1 => at_pole]
            .prop_map(|(latitude, longitude)| Position { latitude, longitude })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_first_are_those_that_come_first_when_all_are_sorted(
            few in proptest::collection::vec(degrees(), 1..400),
            centers in proptest::collection::vec(degrees(), 4),
            kept in 1..4_u32,
            k in prop_oneof![0..60_usize, 0..400_usize],
            descending: bool,
            is_list: bool,
        ) {
            // Many share a point, so that ties decide.
            let positions: Vec<Position> = few.iter().copied().cycle().take(ITEMS as usize).collect();
            let points = written(&positions);
            let items = || (0..ITEMS).filter(|item| item % kept == 0);
            let found = if is_list { Set::of_ascending(items()) } else { bits(items(), ITEMS as usize) };
            for center in centers {
                compare(&points, &positions, center, &found, Order { k, descending })?;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn the_first_of_a_far_cluster_come_first_too(
            crowd in proptest::collection::vec((40.0..41.0, -75.0..-74.0_f64), 500..1_000),
            cluster in proptest::collection::vec((33.0..35.0, -119.0..-117.0_f64), 400..2_400),
            // A few that were found are met before all others are passed.
            near in prop_oneof![Just(u32::MAX), 100..1_000_u32],
            k in 0..250_usize,
            is_list: bool,
        ) {
            // Many share a point, so that ties decide.
            let crowd = crowd.into_iter().cycle().take(CROWD as usize);
            let all = crowd.chain(cluster.into_iter().cycle().take(2_400));
            let positions: Vec<Position> =
                all.map(|(latitude, longitude)| Position { latitude, longitude }).collect();
            let points = written(&positions);
            let items = || (0..positions.len() as u32).filter(|item| *item >= CROWD || item % near == 1);
            let found = if is_list { Set::of_ascending(items()) } else { bits(items(), positions.len()) };
            for (at, descending) in [(0, false), (positions.len() - 1, true)] {
                compare(&points, &positions, positions[at], &found, Order { k, descending })?;
            }
        }
    }
}
