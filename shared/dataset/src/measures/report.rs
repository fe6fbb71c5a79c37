//! Computes the figures of a report from a record.

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

/// A report on a record or on the sum of several records. Counts are for an average week.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whether any of the counts are modelled.
    pub modelled: bool,
    /// Whether the data provider vouches for all of the records.
    pub certified: bool,
    /// The percentage of places of the same type that have fewer visits. `None` if it's unknown, or for
    /// several places.
    pub percentile: Option<u8>,
    /// The number of times that people were at or near the place.
    pub activities: u64,
    pub visits: u64,
    /// The number of distinct visitors.
    pub unique_persons: u64,
    /// The average duration of a visit, in minutes.
    pub avg_dwell: f64,
    /// The average number of visits per visitor.
    pub frequency: f64,
    /// The number of visits by people who live nearby, usually within 10 miles.
    pub local: u64,
    /// The number of visits by everyone else.
    pub non_local: u64,
    /// Each cohort's share of the visitors, in the same order as the release's catalog.
    pub segments: Vec<SegmentShare>,
    /// The visitors' home ZIP codes, in descending order of visits. The following three lists are sorted the
    /// same way.
    pub postal_codes: Vec<Origin>,
    /// The visitors' home counties.
    pub counties: Vec<Origin>,
    /// The visitors' home television markets. Visits from areas without a market are omitted.
    pub dmas: Vec<Origin>,
    /// The visitors' home states.
    pub states: Vec<Origin>,
    /// The days of the week, starting with Monday.
    pub days: [DayOfWeek; DAYS],
    /// Each duration bin's share of the visits, from 0 to 1.
    pub dwell: [f64; DWELL_BINS],
    /// The visits in past years and weeks.
    pub history: History,
}

/// A cohort's share of the visitors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentShare {
    /// The cohort's position in the release's catalog.
    pub segment: SegmentIndex,
    /// The share, from 0 to 1.
    pub percent: f64,
    /// 100 × the cohort's share of the visitors ÷ its share of the national population, rounded to one
    /// decimal place. It's 0 if the national share is 0.
    pub index: f64,
}

impl SegmentShare {
    /// Computes the share of a single cohort, with the same result as [`Report::new`]. `base` is the cohort's
    /// share of the national population, from 0 to 1. Returns `None` if the record doesn't list the cohort.
    pub fn of(measure: &Measure, segment: SegmentIndex, base: f64) -> Option<Self> {
        let at = measure.segments.binary_search_by_key(&segment, |known| known.0).ok()?;
        Some(Self::new(segment, measure.segments[at].1, measure.unique_persons, base))
    }

    fn new(segment: SegmentIndex, persons: u64, all_persons: u64, base: f64) -> Self {
        let percent = share(persons, all_persons);
        Self { segment, percent, index: index_of(percent, base) }
    }
}

/// Estimates the share of visitors in a cohort that the records don't list, such as a composed cohort. The
/// result is the mean of the cohort's shares in the visitors' home ZIP codes, weighted by visits.
///
/// `share` returns the cohort's share of a ZIP code's residents, or NaN if the ZIP code has no residents. ZIP
/// codes without residents are ignored. Returns `None` if no visits are from a ZIP code with residents.
pub fn share_by_homes(measure: &Measure, share: impl Fn(GeographyIndex) -> f64) -> Option<f64> {
    let (mut visits, mut visits_of_cohort) = (0.0, 0.0);
    for (zip, count) in &measure.origins {
        let share = share(*zip);
        if share.is_finite() {
            visits += *count as f64;
            visits_of_cohort += *count as f64 * share;
        }
    }
    (visits > 0.0).then(|| visits_of_cohort / visits)
}

/// Returns 100 × `share` ÷ `base`, rounded to one decimal place. `base` is the share of the national
/// population. Returns 0 if `base` is 0.
pub fn index_of(share: f64, base: f64) -> f64 {
    if base > 0.0 { rounded_index(100.0 * share / base) } else { 0.0 }
}

/// Rounds an index to one decimal place. More digits would suggest more accuracy than the underlying survey
/// data has.
pub fn rounded_index(index: f64) -> f64 {
    (10.0 * index).round() / 10.0
}

/// An area where visitors live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The ZIP code, county, television market, or state.
    pub geography: GeographyIndex,
    /// The number of visits per week by residents of the area.
    pub weekly_visits: u64,
    /// The number of weekly visits, divided by 7.
    pub daily_visits: f64,
}

/// The visits on one day of the week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DayOfWeek {
    /// The two-letter name of the day, such as `mo`.
    pub day: &'static str,
    /// The day's share of the week's visits, from 0 to 1.
    pub percent: f64,
    pub visits: u64,
    /// Each hour's share of the day's visits, from 0 to 1. If the day has no visits, the hourly shares of the
    /// whole week are used.
    pub hours: [f64; HOURS],
}

/// The visits in past years and weeks, in chronological order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// The visits by calendar year.
    #[serde(rename = "year")]
    pub years: Vec<Year>,
    /// The visits by ISO week.
    #[serde(rename = "week")]
    pub weeks: Vec<Week>,
}

/// The visits in a calendar year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Year {
    /// The year, such as `2025`.
    pub id: String,
    /// The number of visits in the year.
    pub visits: u64,
}

/// The visits in an ISO week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Week {
    /// The ISO week, such as `2026-W31`.
    pub id: String,
    /// The date of the week's Monday, such as `2026-07-27`.
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
    /// Computes the report on a record that passes [`Measure::check`], or on the sum of such records.
    ///
    /// `base` returns a cohort's share of the national population, from 0 to 1. `parents` returns the areas
    /// that contain a ZIP code.
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

/// Adds up the visits by area and sorts the areas by descending visits.
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
    // The sort is stable, so areas with equal visits stay in ascending order.
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
