//! The figures of a report, computed from a record.

use std::collections::BTreeMap;

use serde::Serialize;

use super::iso_week::monday;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::record::Measure;
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;

/// The names of the days in the API and in imports.
pub const DAY_NAMES: [&str; DAYS] = ["mo", "tu", "we", "th", "fr", "sa", "su"];

/// The names of the duration bins in the API and in imports.
pub const DWELL_NAMES: [&str; DWELL_BINS] = [
    "persons_000_030min",
    "persons_030_060min",
    "persons_060_120min",
    "persons_120_240min",
    "persons_240_plus",
];

/// The report on a record or on the sum of several. Counts are for an average week.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whether any of the counts comes from a model.
    pub modelled: bool,
    /// Whether all of the counts are reliable.
    pub certified: bool,
    /// The percentage of places of the same type with fewer visits. `None` for several places.
    pub percentile: Option<u8>,
    /// The number of times a person was at the place or near it.
    pub activities: u64,
    pub visits: u64,
    /// The number of different visitors.
    pub unique_persons: u64,
    /// The average duration of a visit, in minutes.
    pub avg_dwell: f64,
    /// The average number of visits per person.
    pub frequency: f64,
    /// The visits by persons who live nearby.
    pub local: u64,
    /// All other visits.
    pub non_local: u64,
    /// The shares of the cohorts among the visitors, in the order of the catalogue.
    pub segments: Vec<SegmentShare>,
    /// The home ZIP codes of the visitors, with the most visits first.
    pub postal_codes: Vec<Origin>,
    /// The home counties of the visitors.
    pub counties: Vec<Origin>,
    /// The home television markets of the visitors. Visits from outside all markets are omitted.
    pub dmas: Vec<Origin>,
    /// The home states of the visitors.
    pub states: Vec<Origin>,
    /// The days of the week, starting on Monday.
    pub days: [DayOfWeek; DAYS],
    /// The shares of the visits by duration.
    pub dwell: [f64; DWELL_BINS],
    /// Visits in past years and weeks.
    pub history: History,
}

/// The share of a cohort among the visitors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentShare {
    /// The cohort.
    pub segment: SegmentIndex,
    /// The cohort's share of the persons, from 0 to 1.
    pub percent: f64,
    /// 100 × the share among the visitors ÷ the share in the nation; 0 if the nation's share is 0.
    pub index: f64,
}

impl SegmentShare {
    /// Computes the share of a single cohort, with the same result as [`Report::new`]. Returns `None` if the
    /// record doesn't list the cohort. `base` is the cohort's share of the nation, from 0 to 1.
    pub fn of(measure: &Measure, segment: SegmentIndex, base: f64) -> Option<Self> {
        let at = measure.segments.binary_search_by_key(&segment, |known| known.0).ok()?;
        Some(Self::new(segment, measure.segments[at].1, measure.unique_persons, base))
    }

    fn new(segment: SegmentIndex, persons: u64, all_persons: u64, base: f64) -> Self {
        let percent = share(persons, all_persons);
        Self { segment, percent, index: if base > 0.0 { 100.0 * percent / base } else { 0.0 } }
    }
}

/// A home area of visitors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The area.
    pub geography: GeographyIndex,
    /// The weekly visits from the area.
    pub weekly_visits: u64,
    /// A seventh of the weekly visits.
    pub daily_visits: f64,
}

/// The visits on one day of the week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DayOfWeek {
    /// The two-letter name of the day.
    pub day: &'static str,
    /// The day's share of the week's visits.
    pub percent: f64,
    pub visits: u64,
    /// Each hour's share of the day's visits. A day without visits has the shares of the whole week.
    pub hours: [f64; HOURS],
}

/// Past visits, in ascending order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// Visits by calendar year.
    #[serde(rename = "year")]
    pub years: Vec<Year>,
    /// Visits by ISO week.
    #[serde(rename = "week")]
    pub weeks: Vec<Week>,
}

/// The visits of a calendar year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Year {
    /// The year, for example `2025`.
    pub id: String,
    /// The visits of the year.
    pub visits: u64,
}

/// The visits of an ISO week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Week {
    /// The week, for example `2026-W31`.
    pub id: String,
    /// The week's Monday, for example `2026-07-27`.
    pub week_start: String,
    pub visits: u64,
}

/// The areas that contain a ZIP code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parents {
    pub county: Option<GeographyIndex>,
    /// The television market.
    pub dma: Option<GeographyIndex>,
    pub state: Option<GeographyIndex>,
}

impl Report {
    /// Creates the report on a record that passes [`Measure::check`], or on a sum of such records.
    ///
    /// `base` returns a cohort's share of the nation, from 0 to 1. `parents` returns the areas that contain a
    /// ZIP code.
    pub fn new(
        measure: &Measure,
        base: &dyn Fn(SegmentIndex) -> f64,
        parents: &dyn Fn(GeographyIndex) -> Parents,
    ) -> Self {
        let visits = measure.visits();
        let origins_by = |of: fn(Parents) -> Option<GeographyIndex>| {
            origins(measure.origins.iter().filter_map(|(zip, visits)| Some((of(parents(*zip))?, *visits))))
        };
        Self {
            modelled: measure.modelled,
            certified: measure.certified,
            percentile: measure.percentile,
            activities: measure.activities,
            visits,
            unique_persons: measure.unique_persons,
            avg_dwell: share(measure.dwell_minutes, visits),
            frequency: share(visits, measure.unique_persons),
            local: measure.local_visits,
            non_local: visits - measure.local_visits,
            segments: segments(measure, base),
            postal_codes: origins(measure.origins.iter().copied()),
            counties: origins_by(|parents| parents.county),
            dmas: origins_by(|parents| parents.dma),
            states: origins_by(|parents| parents.state),
            days: days(measure),
            dwell: measure.dwell.map(|bin| share(bin, visits)),
            history: history(measure),
        }
    }
}

fn segments(measure: &Measure, base: &dyn Fn(SegmentIndex) -> f64) -> Vec<SegmentShare> {
    let report = |(segment, persons): &(SegmentIndex, u64)| {
        SegmentShare::new(*segment, *persons, measure.unique_persons, base(*segment))
    };
    measure.segments.iter().map(report).collect()
}

/// Adds up visits by area, and sorts the areas by descending visits.
fn origins(origins: impl Iterator<Item = (GeographyIndex, u64)>) -> Vec<Origin> {
    let mut sums = BTreeMap::<_, u64>::new();
    for (geography, visits) in origins {
        *sums.entry(geography).or_default() += visits;
    }
    let mut origins: Vec<Origin> = sums
        .into_iter()
        .map(|(geography, weekly_visits)| Origin {
            geography,
            weekly_visits,
            daily_visits: share(weekly_visits, 7),
        })
        .collect();
    // The sort is stable: areas with equal visits stay in the order of their positions.
    origins.sort_by_key(|origin| std::cmp::Reverse(origin.weekly_visits));
    origins
}

fn days(measure: &Measure) -> [DayOfWeek; DAYS] {
    let week = measure.visits();
    std::array::from_fn(|day| {
        let visits = measure.hours[day].iter().sum();
        let hour = |hour: usize| match visits {
            0 => share(measure.hours.iter().map(|hours| hours[hour]).sum(), week),
            _ => share(measure.hours[day][hour], visits),
        };
        DayOfWeek {
            day: DAY_NAMES[day],
            percent: share(visits, week),
            visits,
            hours: std::array::from_fn(hour),
        }
    })
}

fn history(measure: &Measure) -> History {
    let year = |(year, visits): &(u16, u64)| Year { id: year.to_string(), visits: *visits };
    let week = |(year, week, visits): &(u16, u8, u64)| {
        let week_start = monday(*year, *week).map_or_else(String::new, |date| date.to_string());
        Week { id: format!("{year}-W{week:02}"), week_start, visits: *visits }
    };
    History {
        years: measure.years.iter().map(year).collect(),
        weeks: measure.weeks.iter().map(week).collect(),
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
