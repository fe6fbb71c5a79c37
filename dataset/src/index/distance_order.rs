//! The first items by their distance from a point.
//!
//! A distance takes longer to compute than all else that sorting does to an item. So where there are many
//! items, the quadrants of the curve are gone through from the nearest on, or from the farthest, until there
//! are enough: few distances are computed, whatever the number of items.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use super::area::distances;
use super::curve::Quadrant;
use super::set::{Members, Set};
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use super::zorder::ZOrder;
use crate::position::{CENTIMETRES, Distance, Position, UnitVector};

/// So few items are all measured.
const FEW_ITEMS: usize = 1_024;

/// So few points of a quadrant are measured rather than divided further.
const FEW_POINTS: usize = 64;

/// Items that are sorted by their distance from a point. Each has a point on the curve.
pub(crate) struct DistanceOrder<'a, P> {
    pub(crate) points: &'a ZOrder,
    pub(crate) center: Position,
    pub(crate) position: P,
}

/// What may come next: an item by its key, or a quadrant by the least key that an item of it can have.
struct Candidate {
    key: u32,
    what: What,
}

enum What {
    Quadrant(Quadrant, Range<usize>),
    /// An item's tie.
    Item(u32),
}

/// A way through the quadrants.
struct Walk<'a, P> {
    center: UnitVector,
    descending: bool,
    members: Members<'a>,
    ties: Ties<'a>,
    order: &'a DistanceOrder<'a, P>,
    candidates: BinaryHeap<Reverse<Candidate>>,
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
        let (descending, members) = (order.descending, found.members());
        let candidates = BinaryHeap::new();
        Walk { center, descending, members, ties, order: self, candidates }.first(order.k)
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
            let Some(Reverse(next)) = self.candidates.pop() else { break };
            match next.what {
                What::Item(tie) => first.push(tie),
                What::Quadrant(quadrant, range) => self.divide(quadrant, range),
            }
        }
        first
    }

    fn divide(&mut self, quadrant: Quadrant, range: Range<usize>) {
        let children = quadrant.children().filter(|_| range.len() > FEW_POINTS);
        let Some(children) = children else {
            return range.for_each(|at| self.add_item(at));
        };
        for child in children {
            self.add_quadrant(child, self.order.points.of_quadrant(child, range.clone()));
        }
    }

    fn add_quadrant(&mut self, quadrant: Quadrant, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (nearest, farthest) = distances(self.center, quadrant.bounds());
        let key = if self.descending {
            u32::MAX - (farthest * CENTIMETRES).ceil() as u32
        } else {
            (nearest * CENTIMETRES).floor() as u32
        };
        self.candidates.push(Reverse(Candidate { key, what: What::Quadrant(quadrant, range) }));
    }

    fn add_item(&mut self, at: usize) {
        let item = self.order.points.item(at);
        if !self.members.contain(item) {
            return;
        }
        let centimetres = self.order.distance(self.center, item).centimetres();
        let key = if self.descending { u32::MAX - centimetres } else { centimetres };
        let tie = self.ties.map_or(item, |ties| ties[item as usize].get());
        self.candidates.push(Reverse(Candidate { key, what: What::Item(tie) }));
    }
}

impl Candidate {
    /// Of one key, quadrants come before items: an item of theirs may have the lower tie.
    fn rank(&self) -> (u32, Option<u32>) {
        let tie = match self.what {
            What::Quadrant(..) => None,
            What::Item(tie) => Some(tie),
        };
        (self.key, tie)
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Candidate {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use zerocopy::little_endian::U32;

    use super::*;
    use crate::release::file::FileWriter;

    const ITEMS: u32 = 6_000;

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
            let mut file = FileWriter::default();
            ZOrder::write(&mut file, "points", (0..).zip(positions.iter().copied()));
            let points = ZOrder::open(&file.opened(), "points").unwrap();
            let items = || (0..ITEMS).filter(|item| item % kept == 0);
            let found = if is_list { Set::of_ascending(items()) } else {
                let mut bits = SetBuilder::new(ITEMS as usize);
                bits.add(&Set::of_ascending(items()));
                bits.finish()
            };
            let ties: Vec<U32> = (0..ITEMS).map(|item| U32::new((item * 7 + 3) % ITEMS)).collect();
            for center in centers {
                let order = DistanceOrder { points: &points, center, position: |item| positions[item as usize] };
                let key = |item: u32| {
                    let at = positions[item as usize].to_unit_vector();
                    let distance = i64::from(Distance::between(center.to_unit_vector(), at).centimetres());
                    if descending { -distance } else { distance }
                };
                for ties in [None, Some(&*ties)] {
                    let tie = |item: u32| ties.map_or(item, |ties| ties[item as usize].get());
                    let mut sorted: Vec<(i64, u32)> = items().map(|item| (key(item), tie(item))).collect();
                    sorted.sort_unstable();
                    let expected: Vec<u32> = sorted.into_iter().take(k).map(|(_, tie)| tie).collect();
                    let first = order.first(&found, Order { k, descending }, ties, ITEMS as usize);
                    prop_assert_eq!(first, expected);
                }
            }
        }
    }
}
