//! Selects the documents nearest to a point or farthest from it.
//!
//! Sorting by distance spends most of its time computing distances. For large result sets, the quadrants of
//! the curve are therefore visited from nearest to farthest (or in reverse) until enough documents are found,
//! so only a few distances are computed. If too many of the visited points aren't in the result set, the
//! curve positions of all points in the result set are collected, and the traversal then skips quadrants that
//! contain none of them.
//!
//! See `docs/decisions/0031-sorting-and-comparing.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::area::distances;
use super::curve::Quadrant;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use super::zorder::ZOrder;
use crate::position::{CENTIMETERS_PER_KM, Distance, Position, UnitVector};

/// For result sets up to this size, all distances are computed.
const FEW_DOCUMENTS: usize = 1_024;

/// Quadrants with at most this many points aren't divided further.
const FEW_POINTS: usize = 64;

/// The number of misses, in addition to the expected ones, that are tolerated before the result set's points
/// are collected. A miss is a visited point that isn't in the result set. Visiting this many points takes
/// about 0.4 ms, and collecting takes 1.5 ms for a million points.
const MORE_POINTS: usize = 16_384;

/// Sorts documents by their distance from `center`. Each document must have a point on the curve.
pub(crate) struct DistanceOrder<'a, P> {
    pub(crate) points: &'a ZOrder,
    pub(crate) center: Position,
    pub(crate) position: P,
}

/// A queue entry for a quadrant or a document. The upper 32 bits of the first number are the distance in
/// centimeters or, in descending order, `u32::MAX` minus the distance. A quadrant uses the lowest value that
/// any of its points can have. The lower 32 bits are the document's tie-breaking rank, or 0 for a quadrant.
/// The second number is the index of the quadrant, or [`ITEM`] for a document. A quadrant comes before
/// documents with equal upper bits, because it can contain a document with a lower tie-breaking rank.
type Candidate = (u64, u32);

/// Marks a queue entry as a document.
const ITEM: u32 = u32::MAX;

/// A traversal of the quadrants in order of distance.
struct Walk<'a, P> {
    center: UnitVector,
    descending: bool,
    ties: Ties<'a>,
    order: &'a DistanceOrder<'a, P>,
    found: FoundPoints<'a>,
    /// The quadrants that were added to the queue, each with the range of its points on the curve.
    quadrants: Vec<(Quadrant, Range<usize>)>,
    candidates: BinaryHeap<Reverse<Candidate>>,
}

/// Finds the points that are in the result set. At first, each visited point is looked up in the set. After
/// too many misses, the positions of all the set's points are collected.
struct FoundPoints<'a> {
    points: &'a ZOrder,
    found: &'a Set<'a>,
    /// The number of misses that remain before the points are collected.
    patience: usize,
    /// The positions of the result set's points on the curve, in ascending order, or `None` if they haven't
    /// been collected yet.
    gathered: Option<Vec<u32>>,
}

impl<P: Fn(u32) -> Position> DistanceOrder<'_, P> {
    /// Returns the [tie-breaking ranks](Ties) of the first `order.k` documents in `found`. `documents` is the
    /// total number of documents.
    pub(crate) fn first(&self, found: &Set<'_>, order: Order, ties: Ties<'_>, documents: usize) -> Vec<u32> {
        let center = self.center.to_unit_vector();
        // The expected number of visited points, if the documents in `found` are evenly distributed.
        let passed = order.k.saturating_mul(self.points.len()) / found.len().max(1);
        if found.len() <= FEW_DOCUMENTS || passed >= found.len() {
            return order.first(
                found.iter(),
                |document| 1 + self.distance(center, document).centimeters(),
                ties,
            );
        }
        // Looking up a single document is fast in a bitmap.
        let mut bits = SetBuilder::new(documents);
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

    fn distance(&self, center: UnitVector, document: u32) -> Distance {
        Distance::between(center, (self.position)(document).to_unit_vector())
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
            return self.found.documents(range).into_iter().for_each(|document| self.add_document(document));
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
            u32::MAX - (farthest * CENTIMETERS_PER_KM).ceil() as u32
        } else {
            (nearest * CENTIMETERS_PER_KM).floor() as u32
        };
        self.candidates.push(Reverse((u64::from(key) << u32::BITS, self.quadrants.len() as u32)));
        self.quadrants.push((quadrant, range));
    }

    fn add_document(&mut self, document: u32) {
        let centimeters = self.order.distance(self.center, document).centimeters();
        let key = if self.descending { u32::MAX - centimeters } else { centimeters };
        let tie = self.ties.map_or(document, |ties| ties[document as usize].get());
        self.candidates.push(Reverse((u64::from(key) << u32::BITS | u64::from(tie), ITEM)));
    }
}

impl FoundPoints<'_> {
    /// Returns an upper bound on the number of points in a range of the curve that are in the result set. The
    /// bound is exact once the points have been collected.
    fn at_most(&self, range: &Range<usize>) -> usize {
        self.gathered.as_ref().map_or(range.len(), |gathered| within(gathered, range).len())
    }

    /// Returns the documents in a range of the curve that are in the result set.
    fn documents(&mut self, range: Range<usize>) -> Vec<u32> {
        if self.patience == 0 && self.gathered.is_none() {
            self.gathered = Some(self.gather());
        }
        if let Some(gathered) = &self.gathered {
            return within(gathered, &range).iter().map(|at| self.points.document(*at as usize)).collect();
        }
        let all = range.len();
        let is_found = |document: &u32| self.found.contains(*document);
        let found: Vec<u32> = range.map(|at| self.points.document(at)).filter(is_found).collect();
        self.patience = self.patience.saturating_sub(all - found.len());
        found
    }

    fn gather(&self) -> Vec<u32> {
        let points = u32::try_from(self.points.len()).expect("document counts fit in 32 bits");
        (0..points).filter(|at| self.found.contains(self.points.document(*at as usize))).collect()
    }
}

/// Returns the positions that are inside a range. `places` must be in ascending order.
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

    /// More points than the allowed number of misses, so that the result set's points are collected.
    const CROWD: u32 = 20_000;

    fn written(positions: &[Position]) -> ZOrder {
        let mut file = FileWriter::default();
        ZOrder::write(&mut file, "points", (0..).zip(positions.iter().copied()));
        ZOrder::open(&file.opened(), "points").unwrap()
    }

    fn bits(documents: impl Iterator<Item = u32>, all: usize) -> Set<'static> {
        let mut bits = SetBuilder::new(all);
        bits.add(&Set::of_ascending(documents));
        bits.finish()
    }

    /// Checks the first documents against a full sort.
    fn compare(
        points: &ZOrder,
        positions: &[Position],
        center: Position,
        found: &Set<'_>,
        order: Order,
    ) -> Result<(), TestCaseError> {
        let documents = positions.len() as u32;
        let by_distance = DistanceOrder { points, center, position: |document| positions[document as usize] };
        let key = |document: u32| {
            let at = positions[document as usize].to_unit_vector();
            let distance = i64::from(Distance::between(center.to_unit_vector(), at).centimeters());
            if order.descending { -distance } else { distance }
        };
        let ties: Vec<U32> =
            (0..documents).map(|document| U32::new((document * 7 + 3) % documents)).collect();
        for ties in [None, Some(&*ties)] {
            let tie = |document: u32| ties.map_or(document, |ties| ties[document as usize].get());
            let mut sorted: Vec<(i64, u32)> =
                found.iter().map(|document| (key(document), tie(document))).collect();
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
        fn matches_a_full_sort(
            few in proptest::collection::vec(degrees(), 1..400),
            centers in proptest::collection::vec(degrees(), 4),
            kept in 1..4_u32,
            k in prop_oneof![0..60_usize, 0..400_usize],
            descending: bool,
            is_list: bool,
        ) {
            // Many documents share a point, so tie-breaking matters.
            let positions: Vec<Position> = few.iter().copied().cycle().take(ITEMS as usize).collect();
            let points = written(&positions);
            let documents = || (0..ITEMS).filter(|document| document % kept == 0);
            let found = if is_list { Set::of_ascending(documents()) } else { bits(documents(), ITEMS as usize) };
            for center in centers {
                compare(&points, &positions, center, &found, Order { k, descending })?;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn matches_a_full_sort_for_a_distant_cluster(
            crowd in proptest::collection::vec((40.0..41.0, -75.0..-74.0_f64), 500..1_000),
            cluster in proptest::collection::vec((33.0..35.0, -119.0..-117.0_f64), 400..2_400),
            // At most one in every `near` documents of the crowd is in the result set.
            near in prop_oneof![Just(u32::MAX), 100..1_000_u32],
            k in 0..250_usize,
            is_list: bool,
        ) {
            // Many documents share a point, so tie-breaking matters.
            let crowd = crowd.into_iter().cycle().take(CROWD as usize);
            let all = crowd.chain(cluster.into_iter().cycle().take(2_400));
            let positions: Vec<Position> =
                all.map(|(latitude, longitude)| Position { latitude, longitude }).collect();
            let points = written(&positions);
            let documents = || (0..positions.len() as u32).filter(|document| *document >= CROWD || document % near == 1);
            let found = if is_list { Set::of_ascending(documents()) } else { bits(documents(), positions.len()) };
            for (at, descending) in [(0, false), (positions.len() - 1, true)] {
                compare(&points, &positions, positions[at], &found, Order { k, descending })?;
            }
        }
    }
}
