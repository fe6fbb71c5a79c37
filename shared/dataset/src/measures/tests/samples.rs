//! Sample records for tests.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::geographies::GeographyIndex;
use crate::measures::{DAYS, HOURS, Measure};
use crate::population::SegmentIndex;

/// Returns a small, typical record.
pub(super) fn plain() -> Measure {
    let mut hours = [[0; HOURS]; DAYS];
    for (day, hours) in hours.iter_mut().enumerate() {
        (hours[8], hours[12]) = (day as u64 + 1, 2);
    }
    Measure {
        modelled: false,
        certified: true,
        percentile: Some(50),
        activities: 100,
        unique_persons: 20,
        dwell_minutes: 42 * 25,
        local_visits: 30,
        hours,
        dwell: [20, 12, 5, 4, 1],
        origins: vec![(GeographyIndex::from_raw(100), 25), (GeographyIndex::from_raw(107), 10)],
        segments: vec![(SegmentIndex::from_raw(1), 9), (SegmentIndex::from_raw(2), 11)],
        years: vec![(2024, 2100), (2025, 2184)],
        weeks: vec![(2026, 30, 40), (2026, 31, 44)],
    }
}

/// Generates records that pass [`Measure::check`].
pub(super) fn valid() -> impl Strategy<Value = Measure> {
    let hours = proptest::collection::vec(prop_oneof![0..50_u64, 0..100_000_u64], DAYS * HOURS);
    let week = (hours, any::<[bool; DAYS]>());
    let zips = proptest::collection::btree_map(0..50_000_u32, 0..=1000_u64, 0..60);
    let segments = proptest::collection::btree_map(0..200_u16, 0..=1000_u64, 0..120);
    let shares = (0..=1000_u64, 0..=1000_u64, 0..=10_080_u64, proptest::array::uniform4(0..=1000_u64));
    let flags = (any::<bool>(), any::<bool>(), proptest::option::of(0..=100_u8), 0..1_000_000_u64);
    let years = proptest::collection::btree_map(1990..=2100_u16, 0..1_000_000_u64, 0..4);
    (week, zips, segments, shares, flags, years, weeks()).prop_map(
        |((hours, open), zips, segments, shares, flags, years, weeks)| {
            let mut measure = Measure::default();
            let days = measure.hours.iter_mut().zip(hours.chunks(HOURS)).zip(open);
            days.filter(|(_, open)| *open).for_each(|((day, hours), _)| day.copy_from_slice(hours));
            // A record must have at least one visit.
            measure.hours[3][17] += 1;
            let visits = measure.visits();
            measure.unique_persons = (visits * shares.0 / 1000).max(1);
            measure.local_visits = visits * shares.1 / 1000;
            measure.dwell_minutes = visits * shares.2;
            let mut cuts = shares.3.map(|cut| visits * cut / 1000);
            cuts.sort_unstable();
            measure.dwell =
                [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], cuts[3] - cuts[2], visits - cuts[3]];
            measure.origins =
                parts(zips, visits).map(|(zip, part)| (GeographyIndex::from_raw(zip), part)).collect();
            let persons = |part: u64| measure.unique_persons * part / 1000;
            measure.segments =
                segments.into_iter().map(|(at, part)| (SegmentIndex::from_raw(at), persons(part))).collect();
            (measure.modelled, measure.certified, measure.percentile, measure.activities) = flags;
            measure.certified &= !measure.modelled;
            measure.years = years.into_iter().collect();
            measure.weeks = weeks;
            measure
        },
    )
}

/// Generates lists of weeks with and without gaps. They can span years with 52 and 53 weeks.
fn weeks() -> impl Strategy<Value = Vec<(u16, u8, u64)>> {
    let present = proptest::collection::btree_set(0..156_usize, 0..120);
    (present, 0..1_000_000_u64, any::<u32>()).prop_map(|(present, level, mix)| {
        let every = [(2024_u16, 52_u8), (2025, 52), (2026, 53)];
        let every: Vec<_> =
            every.iter().flat_map(|(year, last)| (1..=*last).map(|week| (*year, week))).collect();
        let visits = |at: usize| level + (at as u64 * u64::from(mix)) % 1000;
        let present: BTreeSet<usize> = present;
        present.into_iter().map(|at| (every[at].0, every[at].1, visits(at))).collect()
    })
}

/// Divides a total among keys. Each value is the key's share, in thousandths, of the amount that remains after
/// the previous keys.
fn parts(keys: BTreeMap<u32, u64>, whole: u64) -> impl Iterator<Item = (u32, u64)> {
    let mut left = whole;
    keys.into_iter().map(move |(key, thousandths)| {
        let part = left * thousandths / 1000;
        left -= part;
        (key, part)
    })
}
