//! Puts what was found in order, and takes a page of it.

use fixedbitset::FixedBitSet;

use super::field::{FLAGS, TEXTS};
use super::query::InventorySort;
use super::{Field, Inventory, POSTED, TextColumn, count};
use crate::top::smallest;

/// Comes after the rank of every value.
const MISSING: u32 = u32::MAX;

impl Inventory {
    /// Returns a page of a set of spots that has so many.
    pub(super) fn page(
        &self,
        found: &FixedBitSet,
        total: usize,
        sort: InventorySort,
        skip: usize,
        take: usize,
    ) -> Vec<u32> {
        let InventorySort { field, descending } = sort;
        let field = field.field();
        // Every spot has a point, so that by the type of its geometry all are equal.
        if matches!(field, Field::SpotId | Field::GeometryType) {
            let ones = found.ones();
            return match (field, descending) {
                (Field::SpotId, true) => ones.rev().skip(skip).take(take).map(count).collect(),
                _ => ones.skip(skip).take(take).map(count).collect(),
            };
        }
        let end = skip.saturating_add(take).min(total);
        // Value by value, so many spots are looked at until the page is full.
        let by_value = end.saturating_mul(self.len()) / total.max(1);
        let sorted = if POSTED.contains(&field) && by_value < total {
            self.first_by_value(found, field, descending, end)
        } else {
            self.first(found, field, descending, end)
        };
        sorted.into_iter().skip(skip).take(take).collect()
    }

    /// Returns the first ones by the ranks of all.
    fn first(&self, found: &FixedBitSet, field: Field, descending: bool, end: usize) -> Vec<u32> {
        let key = |rank: Option<u32>, spot: u32| {
            let rank = rank.map_or(MISSING, |rank| if descending { MISSING - 1 - rank } else { rank });
            u64::from(rank) << 32 | u64::from(spot)
        };
        let spots = found.ones().map(count);
        let keys = if FLAGS.contains(&field) {
            let column = self.flag(field);
            smallest(spots.map(|spot| key(column.get(spot).map(u32::from), spot)), end)
        } else if TEXTS.contains(&field) {
            let column = self.text(field);
            smallest(spots.map(|spot| key(column.numbers.get(spot).map(|value| column.rank(value)), spot)), end)
        } else if field == Field::GeoPoint {
            smallest(spots.map(|spot| key(self.geo_points.rank(spot), spot)), end)
        } else {
            smallest(spots.map(|spot| key(self.orientations.numbers.get(spot), spot)), end)
        };
        keys.into_iter().map(|key| (key & u64::from(u32::MAX)) as u32).collect()
    }

    /// Returns the first ones by going through the values in order, and through the spots of each.
    fn first_by_value(&self, found: &FixedBitSet, field: Field, descending: bool, end: usize) -> Vec<u32> {
        let (column, postings) = (self.text(field), self.postings(field));
        let mut first = Vec::with_capacity(end);
        let mut rest = 0..count(column.values.len());
        while first.len() < end && !rest.is_empty() {
            let same = next_rank(column, &mut rest, descending);
            let before = first.len();
            let is_one = same.len() == 1;
            for value in same {
                first.extend(postings.get(value).within(found).take(if is_one { end - before } else { usize::MAX }));
            }
            first[before..].sort_unstable();
            first.truncate(end);
        }
        let left = end - first.len();
        let missing = found.ones().map(count).filter(|spot| left > 0 && column.numbers.get(*spot).is_none());
        first.extend(missing.take(left));
        first
    }
}

/// Takes the values that come next, which all have one rank.
fn next_rank(column: &TextColumn, rest: &mut std::ops::Range<u32>, descending: bool) -> std::ops::Range<u32> {
    if descending {
        let mut start = rest.end - 1;
        while start > rest.start && column.rank(start - 1) == column.rank(rest.end - 1) {
            start -= 1;
        }
        let taken = start..rest.end;
        rest.end = start;
        taken
    } else {
        let mut end = rest.start + 1;
        while end < rest.end && column.rank(end) == column.rank(rest.start) {
            end += 1;
        }
        let taken = rest.start..end;
        rest.start = end;
        taken
    }
}
