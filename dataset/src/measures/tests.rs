//! Records, their sums, their shares and their file.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use zerocopy::little_endian::{U32, U64};

use super::record::Measure;
use super::report::{Parents, Report, SegmentShare};
use super::samples::{plain, valid};
use super::table::{ENDS, IDS, RECORDS, VISITS};
use super::{Measures, MeasuresWriter, codec};
use crate::geographies::GeographyIndex;
use crate::places::PlaceId;
use crate::population::SegmentIndex;
use crate::release::file::{FileWriter, SectionFile};
use crate::release::{ReleaseError, RowCounts};

const TOLERANCE: f64 = 1e-9;

fn base(segment: SegmentIndex) -> f64 {
    f64::from(segment.raw() % 5) / 10.0
}

fn parents(zip: GeographyIndex) -> Parents {
    let area = |tens: u32| Some(GeographyIndex::from_raw(zip.raw() / tens));
    Parents { county: area(10), dma: area(100).filter(|dma| dma.raw() % 7 != 0), state: area(1000) }
}

fn report(measure: &Measure) -> Report {
    Report::new(measure, &base, &parents)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0)
}

/// What must hold in every answer.
fn hold_invariants(measure: &Measure) {
    let report = report(measure);
    assert_eq!(report.local + report.non_local, report.visits);
    assert!(close(report.frequency * report.unique_persons as f64, report.visits as f64));
    assert!(close(report.avg_dwell * report.visits as f64, measure.dwell_minutes as f64));
    assert!(close(report.days.iter().map(|day| day.percent).sum(), 1.0));
    assert_eq!(report.days.iter().map(|day| day.visits).sum::<u64>(), report.visits);
    assert!(report.days.iter().all(|day| close(day.hours.iter().sum(), 1.0)));
    assert!(close(report.dwell.iter().sum(), 1.0));
    for areas in [&report.postal_codes, &report.counties, &report.dmas, &report.states] {
        assert!(areas.iter().all(|area| close(area.daily_visits * 7.0, area.weekly_visits as f64)));
        assert!(areas.iter().map(|area| area.weekly_visits).sum::<u64>() <= report.visits);
        assert!(areas.is_sorted_by(|a, b| (b.weekly_visits, a.geography) < (a.weekly_visits, b.geography)));
    }
    assert_eq!(report.segments.len(), measure.segments.len());
    for (reported, (segment, persons)) in report.segments.iter().zip(&measure.segments) {
        let local = *persons as f64 / measure.unique_persons as f64;
        let index = if base(*segment) > 0.0 { 100.0 * local / base(*segment) } else { 0.0 };
        assert!(close(reported.percent, local) && close(reported.index, index));
        assert!((0.0..=1.0).contains(&reported.percent));
    }
}

proptest! {
    #[test]
    fn shares_follow_from_counts(measure in valid()) {
        prop_assert_eq!(measure.check(), Ok(()));
        hold_invariants(&measure);
    }

    #[test]
    fn shares_of_a_sum_follow_from_the_sums_of_counts(measures in proptest::collection::vec(valid(), 2..6)) {
        let sum = Measure::sum(&measures).unwrap();
        hold_invariants(&sum);
        let add = |count: fn(&Measure) -> u64| measures.iter().map(count).sum::<u64>();
        prop_assert_eq!(sum.visits(), add(Measure::visits));
        prop_assert_eq!(sum.unique_persons, add(|one| one.unique_persons));
        prop_assert_eq!(sum.dwell_minutes, add(|one| one.dwell_minutes));
        prop_assert_eq!(sum.origins.iter().map(|origin| origin.1).sum::<u64>(),
            add(|one| one.origins.iter().map(|origin| origin.1).sum()));
        prop_assert_eq!(sum.segments.iter().map(|segment| segment.1).sum::<u64>(),
            add(|one| one.segments.iter().map(|segment| segment.1).sum()));
        prop_assert_eq!(sum.weeks.iter().map(|week| week.2).sum::<u64>(),
            add(|one| one.weeks.iter().map(|week| week.2).sum()));
        prop_assert_eq!(sum.certified, measures.iter().all(|one| one.certified));
        prop_assert_eq!(sum.modelled, measures.iter().any(|one| one.modelled));
        prop_assert_eq!(sum.percentile, None);
    }

    #[test]
    fn a_cohort_alone_has_the_share_that_it_has_among_all(measure in valid()) {
        let shares: Vec<_> = (0..200)
            .map(SegmentIndex::from_raw)
            .filter_map(|segment| SegmentShare::of(&measure, segment, base(segment)))
            .collect();
        prop_assert_eq!(shares, report(&measure).segments);
    }

    #[test]
    fn the_sum_of_one_is_itself(measure in valid()) {
        prop_assert_eq!(Measure::sum([&measure]), Some(measure));
    }

    #[test]
    fn the_order_of_addends_does_not_matter(
        (some, shuffled) in proptest::collection::vec(valid(), 2..5)
            .prop_flat_map(|some| (Just(some.clone()), Just(some).prop_shuffle())),
    ) {
        prop_assert_eq!(Measure::sum(&some), Measure::sum(&shuffled));
    }

    #[test]
    fn a_record_is_read_as_it_was_written(measure in valid()) {
        prop_assert_eq!(codec::decode(&codec::encode(&measure)), Ok(measure));
    }

    #[test]
    fn changed_bytes_are_an_error_or_another_true_record(
        measure in valid(),
        changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        cut in proptest::option::of(any::<Index>()),
    ) {
        let mut bytes = codec::encode(&measure);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
            prop_assert!(codec::decode(&bytes).is_err());
        } else if let Ok(read) = codec::decode(&bytes) {
            prop_assert_eq!(read.check(), Ok(()));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(read) = codec::decode(&bytes) {
            prop_assert_eq!(read.check(), Ok(()));
        }
    }
}

#[test]
fn no_records_have_no_sum() {
    assert_eq!(Measure::sum([]), None);
}

#[test]
fn a_day_without_visits_shows_the_hours_of_the_week() {
    let mut measure = plain();
    let sunday = measure.hours[6].iter().sum::<u64>();
    measure.hours[0][8] += sunday;
    measure.hours[6] = [0; 24];
    let report = report(&measure);
    assert_eq!((report.days[6].day, report.days[6].visits, report.days[6].percent), ("su", 0, 0.0));
    assert!(close(report.days[6].hours[12], 12.0 / 42.0));
    hold_invariants(&measure);
}

#[test]
fn a_week_of_the_past_is_named_and_dated() {
    let weeks = report(&plain()).history.weeks;
    assert_eq!(
        (weeks[1].id.as_str(), weeks[1].week_start.as_str(), weeks[1].visits),
        ("2026-W31", "2026-07-27", 44)
    );
}

#[test]
fn a_record_that_contradicts_itself_is_refused() {
    type Change = fn(&mut Measure);
    let cases: [(Change, &str); 19] = [
        (|one| one.modelled = true, "certified: a record that a model derived is not certified"),
        (|one| one.hours = [[0; 24]; 7], "visits: none in the whole week"),
        (|one| one.hours[0][0] = u64::MAX, "visits: 18446744073709551615 is more than 1000000000"),
        (|one| one.activities = 1_000_000_001, "activities: 1000000001 is more than"),
        (|one| one.unique_persons = 0, "visits_unique_persons: 0"),
        (|one| one.unique_persons = 43, "visits_unique_persons: 43 is more than 42"),
        (|one| one.local_visits = 43, "local_visits: 43 is more than 42, the sum of visits"),
        (|one| one.dwell_minutes = 42 * 10_081, "visits_avg_dwell: 10081 is more than 10080"),
        (|one| one.percentile = Some(101), "percentile: 101 is more than 100"),
        (|one| one.dwell[0] += 1, "dwell: the bins hold 43 visits and the hours 42"),
        (|one| one.origins[0].1 = 33, "origins: 43 is more than 42, the sum of visits"),
        (|one| one.origins[1].0 = one.origins[0].0, "origins: a ZIP code occurs twice"),
        (|one| one.segments[0].1 = 21, "segments: 21 is more than 20, visits_unique_persons"),
        (|one| one.segments.reverse(), "segments: a cohort occurs twice or out of order"),
        (|one| one.years[0].0 = 1800, "history.year: 1800 is not from 1990 to 2100"),
        (|one| one.years.reverse(), "history.year: a year occurs twice or out of order"),
        (
            |one| one.weeks[0] = (2025, 53, 1),
            "history.week: week 53 is not from 1 to 52, the ISO weeks of 2025",
        ),
        (|one| one.weeks[0].2 = u64::MAX, "history.week: 18446744073709551615 is more than"),
        (|one| one.weeks.reverse(), "history.week: a week occurs twice or out of order"),
    ];
    for (change, reason) in cases {
        let mut measure = plain();
        change(&mut measure);
        let error = measure.check().expect_err(reason).to_string();
        assert!(error.starts_with(reason), "{error:?} does not begin with {reason:?}");
    }
}

/// A folder that is there for as long as a test needs it.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dataset-measures-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write(folder: &Path, records: &[(PlaceId, Measure)]) -> RowCounts {
    let mut writer = MeasuresWriter::default();
    for (place, measure) in records {
        writer.push(*place, measure).unwrap();
    }
    writer.write(folder).unwrap()
}

fn open(path: &Path) -> Result<Measures, ReleaseError> {
    Measures::from_file(SectionFile::open(path)?)
}

#[test]
fn each_record_is_found_by_its_place() {
    let scratch = Scratch::new("found");
    let path = scratch.0.join("measures.bin");
    let records =
        [3, 70, u64::MAX].map(|id| (PlaceId::from_raw(id), Measure { activities: id % 1000, ..plain() }));
    let rows = write(&scratch.0, &records);
    assert_eq!(rows["measures"], 3);
    let measures = open(&path).unwrap();
    for (place, measure) in &records {
        assert_eq!(measures.get(*place).unwrap().as_ref(), Some(measure));
    }
    assert_eq!(measures.get(PlaceId::from_raw(4)), Ok(None));
    assert_eq!(measures.glance(PlaceId::from_raw(4)), None);
    for (place, measure) in &records {
        let glance = measures.glance(*place).unwrap();
        assert_eq!((glance.visits.into(), glance.modelled), (measure.visits(), measure.modelled));
    }
    assert!(measures.ids().eq(records.iter().map(|(place, _)| *place)));
}

#[test]
fn a_damaged_record_is_an_error_that_names_its_place() {
    let scratch = Scratch::new("damaged");
    let path = scratch.0.join("measures.bin");
    write(&scratch.0, &[(PlaceId::from_raw(7), plain())]);
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 200..].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let measures = open(&path).unwrap();
    let error = measures.get(PlaceId::from_raw(7)).unwrap_err().to_string();
    assert!(error.starts_with("measures.bin: the record of place 7: "), "{error}");
}

#[test]
fn records_that_lie_outside_the_file_are_an_error() {
    let scratch = Scratch::new("outside");
    let path = scratch.0.join("measures.bin");
    let file = |ids: &[u64], ends: &[u64], visits: usize| {
        let mut file = FileWriter::default();
        file.rows(IDS, &ids.iter().copied().map(U64::new).collect::<Vec<_>>());
        file.rows(ENDS, &ends.iter().copied().map(U64::new).collect::<Vec<_>>());
        file.rows(VISITS, &vec![U32::new(1); visits]);
        file.bytes(RECORDS, vec![0; 20]);
        file.write(&path).unwrap();
    };
    file(&[1, 2, 3], &[21, 5, u64::MAX], 3);
    let measures = open(&path).unwrap();
    for id in 1..=3 {
        let error = measures.get(PlaceId::from_raw(id)).unwrap_err().to_string();
        assert_eq!(error, format!("measures.bin: the record of place {id}: it lies outside the file"));
        assert_eq!(measures.glance(PlaceId::from_raw(id)), None);
    }
    file(&[1, 2], &[20], 2);
    assert_eq!(open(&path).unwrap_err().to_string(), "measures.bin: has 2 ids and 1 records");
    file(&[1, 2], &[10, 20], 3);
    assert_eq!(open(&path).unwrap_err().to_string(), "measures.bin: has 2 ids and 3 counts of visits");
}

#[test]
fn records_are_written_in_ascending_order_and_only_true_ones() {
    let mut writer = MeasuresWriter::default();
    writer.push(PlaceId::from_raw(7), &plain()).unwrap();
    let twice = writer.push(PlaceId::from_raw(7), &plain()).unwrap_err().to_string();
    assert!(twice.starts_with("place 7 follows place 7"), "{twice}");
    let empty = writer.push(PlaceId::from_raw(8), &Measure::default()).unwrap_err().to_string();
    assert!(empty.starts_with("the record of place 8: visits: none"), "{empty}");
}
