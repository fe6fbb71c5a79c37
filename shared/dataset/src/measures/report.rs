//! What a record says, in the numbers that an answer shows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::iso_week::monday;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::record::Measure;
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;

/// The days of a week as answers and imports name them.
pub const DAY_NAMES: [&str; DAYS] = ["mo", "tu", "we", "th", "fr", "sa", "su"];

/// The bins of dwell as answers and imports name them.
pub const DWELL_NAMES: [&str; DWELL_BINS] = [
    "persons_000_030min",
    "persons_030_060min",
    "persons_060_120min",
    "persons_120_240min",
    "persons_240_plus",
];

/// A record, or the sum of several, as an answer shows it. Counts are of an average week.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whether a model derived any of it.
    pub modelled: bool,
    /// Whether there is enough behind all of it to rely on.
    pub certified: bool,
    /// How many of a hundred places of the type have fewer visits; `None` for several places.
    pub percentile: Option<u8>,
    /// Presences at the place and near it.
    pub activities: u64,
    pub visits: u64,
    /// The persons behind the visits.
    pub unique_persons: u64,
    /// Minutes per visit.
    pub avg_dwell: f64,
    /// Visits per person.
    pub frequency: f64,
    /// Visits of persons who live near.
    pub local: u64,
    /// All other visits.
    pub non_local: u64,
    /// The cohorts among the persons, in the order of the catalogue.
    pub segments: Vec<SegmentShare>,
    /// The ZIP codes where the visitors live, most visits first.
    pub postal_codes: Vec<Origin>,
    /// Their counties.
    pub counties: Vec<Origin>,
    /// Their television markets; visits from outside of all are left out.
    pub dmas: Vec<Origin>,
    /// Their states.
    pub states: Vec<Origin>,
    /// The days, Monday first.
    pub days: [DayOfWeek; DAYS],
    /// The shares of the visits by how long they last.
    pub dwell: [f64; DWELL_BINS],
    /// Visits of the past.
    pub history: History,
}

/// A cohort among the visitors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentShare {
    /// The cohort.
    pub segment: SegmentIndex,
    /// Its share of the persons, from 0 to 1.
    pub percent: f64,
    /// 100 × its share of the persons ÷ its share of the nation; 0 when the nation has none.
    pub index: f64,
}

impl SegmentShare {
    /// Reports a cohort alone as [`Report::new`] reports it among all; `None` when the record does not know
    /// it. `base` is its share of the nation, from 0 to 1.
    pub fn of(measure: &Measure, segment: SegmentIndex, base: f64) -> Option<Self> {
        let at = measure.segments.binary_search_by_key(&segment, |known| known.0).ok()?;
        Some(Self::new(segment, measure.segments[at].1, measure.unique_persons, base))
    }

    fn new(segment: SegmentIndex, persons: u64, all_persons: u64, base: f64) -> Self {
        let percent = share(persons, all_persons);
        Self { segment, percent, index: if base > 0.0 { 100.0 * percent / base } else { 0.0 } }
    }
}

/// An area where visitors live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The area.
    pub geography: GeographyIndex,
    /// Visits from there.
    pub weekly_visits: u64,
    /// A seventh of them.
    pub daily_visits: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DayOfWeek {
    /// Its name, two letters.
    pub day: &'static str,
    /// Its share of the week's visits.
    pub percent: f64,
    pub visits: u64,
    /// The shares of its hours; a day without visits has those of the whole week.
    pub hours: [f64; HOURS],
}

/// Visits of the past, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// Whole years.
    #[serde(rename = "year")]
    pub years: Vec<Year>,
    /// ISO weeks.
    #[serde(rename = "week")]
    pub weeks: Vec<Week>,
}

/// A year's visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Year {
    /// Such as `2025`.
    pub id: String,
    /// The visits of the whole year.
    pub visits: u64,
}

/// A week's visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Week {
    /// Such as `2026-W31`.
    pub id: String,
    /// Its Monday, such as `2026-07-27`.
    pub week_start: String,
    pub visits: u64,
}

/// The areas that a ZIP code lies in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parents {
    pub county: Option<GeographyIndex>,
    /// Its television market.
    pub dma: Option<GeographyIndex>,
    pub state: Option<GeographyIndex>,
}

impl Report {
    /// Reports a record that [`Measure::check`] lets pass, or a sum of such.
    ///
    /// `base` is a cohort's share of the nation, from 0 to 1; `parents` are the areas of a ZIP code.
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

/// Adds visits up by area and puts the areas with the most of them first.
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
    // Stable: equal areas stay in the order of their indexes.
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
