//! Tests of record sums, reports, and the plausibility check.

use proptest::prelude::*;

use super::samples::{plain, valid};
use crate::geographies::GeographyIndex;
use crate::measures::{Measure, Parents, Report, SegmentShare};
use crate::population::SegmentIndex;

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

/// Checks the relations between figures that hold in every report.
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
        assert!(close(reported.percent, local) && (reported.index - index).abs() < 0.0501);
        assert!((0.0..=1.0).contains(&reported.percent));
    }
}

proptest! {
    #[test]
    fn report_of_a_record_satisfies_the_invariants(measure in valid()) {
        prop_assert_eq!(measure.check(), Ok(()));
        hold_invariants(&measure);
    }

    #[test]
    fn report_of_a_sum_satisfies_the_invariants(measures in proptest::collection::vec(valid(), 2..6)) {
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
        prop_assert_eq!(sum.certified, measures.iter().all(|one| one.certified));
        prop_assert_eq!(sum.modelled, measures.iter().any(|one| one.modelled));
        prop_assert_eq!(sum.percentile, None);
    }

    #[test]
    fn single_cohort_share_matches_the_full_report(measure in valid()) {
        let shares: Vec<_> = (0..200)
            .map(SegmentIndex::from_raw)
            .filter_map(|segment| SegmentShare::of(&measure, segment, base(segment)))
            .collect();
        prop_assert_eq!(shares, report(&measure).segments);
    }

    #[test]
    fn sum_of_one_record_equals_the_record(measure in valid()) {
        prop_assert_eq!(Measure::sum([&measure]), Some(measure));
    }

    #[test]
    fn sum_does_not_depend_on_the_order(
        (some, shuffled) in proptest::collection::vec(valid(), 2..5)
            .prop_flat_map(|some| (Just(some.clone()), Just(some).prop_shuffle())),
    ) {
        prop_assert_eq!(Measure::sum(&some), Measure::sum(&shuffled));
    }
}

#[test]
fn sum_of_no_records_returns_none() {
    assert_eq!(Measure::sum([]), None);
}

#[test]
fn day_without_visits_has_the_hourly_shares_of_the_week() {
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
fn history_of_a_sum_has_the_years_and_weeks_that_all_records_list() {
    let (all, mut later) = (plain(), plain());
    later.years = vec![(2025, 16), (2026, 9)];
    later.weeks.remove(1);
    let sum = Measure::sum([&all, &later, &all]).unwrap();
    assert_eq!((sum.years, sum.weeks), (vec![(2025, 2 * 2184 + 16)], vec![(2026, 30, 120)]));
    let uncounted = Measure { years: Vec::new(), weeks: Vec::new(), ..plain() };
    let sum = Measure::sum([&all, &uncounted]).unwrap();
    assert_eq!((sum.years, sum.weeks), (Vec::new(), Vec::new()));
}

#[test]
fn past_weeks_have_an_id_and_a_start_date() {
    let weeks = report(&plain()).history.weeks;
    assert_eq!(
        (weeks[1].id.as_str(), weeks[1].week_start.as_str(), weeks[1].visits),
        ("2026-W31", "2026-07-27", 44)
    );
}

#[test]
fn rejects_contradictory_records() {
    type Change = fn(&mut Measure);
    let cases: [(Change, &str); 19] = [
        (|one| one.modelled = true, "certified: must be false in a modelled record"),
        (|one| one.hours = [[0; 24]; 7], "visits: must be at least 1 per week"),
        (|one| one.hours[0][0] = u64::MAX, "visits: 18446744073709551615 is more than 1000000000"),
        (|one| one.activities = 1_000_000_001, "activities: 1000000001 is more than"),
        (|one| one.unique_persons = 0, "visits_unique_persons: must be at least 1"),
        (|one| one.unique_persons = 43, "visits_unique_persons: 43 is more than 42"),
        (|one| one.local_visits = 43, "local_visits: 43 is more than 42, the total number of visits"),
        (|one| one.dwell_minutes = 42 * 10_081, "visits_avg_dwell: 10081 is more than 10080"),
        (|one| one.percentile = Some(101), "percentile: 101 is more than 100"),
        (|one| one.dwell[0] += 1, "dwell: the bins sum to 43 visits, but the hours sum to 42"),
        (|one| one.origins[0].1 = 33, "origins: 43 is more than 42, the total number of visits"),
        (|one| one.origins[1].0 = one.origins[0].0, "origins: a ZIP code occurs twice"),
        (|one| one.segments[0].1 = 21, "segments: 21 is more than 20, visits_unique_persons"),
        (|one| one.segments.reverse(), "segments: a cohort occurs twice or is out of order"),
        (|one| one.years[0].0 = 1800, "history.year: 1800 is not between 1990 and 2100"),
        (|one| one.years.reverse(), "history.year: a year occurs twice or is out of order"),
        (
            |one| one.weeks[0] = (2025, 53, 1),
            "history.week: week 53 is not between 1 and 52, the number of ISO weeks in 2025",
        ),
        (|one| one.weeks[0].2 = u64::MAX, "history.week: 18446744073709551615 is more than"),
        (|one| one.weeks.reverse(), "history.week: a week occurs twice or is out of order"),
    ];
    for (change, reason) in cases {
        let mut measure = plain();
        change(&mut measure);
        let error = measure.check().expect_err(reason).to_string();
        assert!(error.starts_with(reason), "{error:?} should start with {reason:?}");
    }
}
