//! What is known of one place, or of several together: whole numbers only, so that every share follows from
//! counts.

use std::collections::BTreeMap;

use super::error::MeasureError;
use super::iso_week::{WEEKS_OF_YEAR, weeks_in_year};
use super::limits::{DAYS, DWELL_BINS, HOURS, MINUTES_OF_WEEK, MOST, YEARS};
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;

/// The counts of an average week at a place; or, added up, at several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Whether a model derived any of it.
    pub modelled: bool,
    /// Whether there is enough behind it to rely on; never when a model derived any of it.
    pub certified: bool,
    /// How many of a hundred places of the type have fewer visits; several places have none.
    pub percentile: Option<u8>,
    /// Presences at the place and near it.
    pub activities: u64,
    /// The persons behind the visits.
    pub unique_persons: u64,
    /// How long all visits last together.
    pub dwell_minutes: u64,
    /// The visits of persons who live near.
    pub local_visits: u64,
    /// The visits by day, Monday first, and hour.
    pub hours: [[u64; HOURS]; DAYS],
    /// The visits by how long they last.
    pub dwell: [u64; DWELL_BINS],
    /// The visits by the ZIP code where the visitors live, ascending.
    pub origins: Vec<(GeographyIndex, u64)>,
    /// The persons of each cohort, ascending.
    pub segments: Vec<(SegmentIndex, u64)>,
    /// The visits of whole years, ascending.
    pub years: Vec<(u16, u64)>,
    /// The visits of weeks by ISO year and week, ascending.
    pub weeks: Vec<(u16, u8, u64)>,
}

impl Measure {
    /// Returns the visits of the week.
    pub fn visits(&self) -> u64 {
        self.hours.as_flattened().iter().sum()
    }

    /// Tells whether a model derived any of it.
    pub fn is_modelled(&self) -> bool {
        self.modelled
    }

    /// Returns the ZIP codes where the visitors live.
    pub fn origins(&self) -> impl Iterator<Item = GeographyIndex> {
        self.origins.iter().map(|origin| origin.0)
    }

    /// Returns the cohorts that it counts.
    pub fn segments(&self) -> impl Iterator<Item = SegmentIndex> {
        self.segments.iter().map(|segment| segment.0)
    }

    /// Adds records up; `None` of none.
    ///
    /// Counts add, and what a record does not know of (an origin, a cohort, a year, a week) adds nothing. The
    /// sum is certified when all are, and modelled when any is. Only one record alone keeps its percentile.
    pub fn sum<'a>(measures: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut measures = measures.into_iter();
        let first = measures.next()?;
        let Some(second) = measures.next() else { return Some(first.clone()) };
        let mut sum = Sum::default();
        for measure in [first, second].into_iter().chain(measures) {
            sum.add(measure);
        }
        Some(sum.into_measure())
    }

    /// Tells whether the record of one place can be true.
    ///
    /// # Errors
    ///
    /// The first member that contradicts itself or another one.
    pub fn check(&self) -> Result<(), MeasureError> {
        let visits = total("visits", self.hours.as_flattened().iter().copied())?;
        if visits == 0 {
            return Err(MeasureError::NoVisits);
        }
        if self.modelled && self.certified {
            return Err(MeasureError::CertifiedModel);
        }
        self.check_counts(visits)?;
        self.check_parts(visits)?;
        self.check_history()
    }

    fn check_counts(&self, visits: u64) -> Result<(), MeasureError> {
        let at_most = MeasureError::check_bound;
        MeasureError::check_most("activities", self.activities)?;
        if self.unique_persons == 0 {
            return Err(MeasureError::NoPersons);
        }
        at_most("visits_unique_persons", self.unique_persons, visits, "the sum of visits")?;
        at_most("local_visits", self.local_visits, visits, "the sum of visits")?;
        let minutes = self.dwell_minutes.div_ceil(visits);
        at_most("visits_avg_dwell", minutes, MINUTES_OF_WEEK, "the minutes of a week")?;
        self.percentile.map_or(Ok(()), |one| at_most("percentile", u64::from(one), 100, "the most there is"))
    }

    fn check_parts(&self, visits: u64) -> Result<(), MeasureError> {
        let dwell = total("dwell", self.dwell.iter().copied())?;
        if dwell != visits {
            return Err(MeasureError::DwellDiffers { dwell, visits });
        }
        let origins = total("origins", self.origins.iter().map(|origin| origin.1))?;
        MeasureError::check_bound("origins", origins, visits, "the sum of visits")?;
        ascending("origins", "a ZIP code", &self.origins, |origin| origin.0)?;
        ascending("segments", "a cohort", &self.segments, |segment| segment.0)?;
        let largest = self.segments.iter().map(|segment| segment.1).max().unwrap_or(0);
        MeasureError::check_bound("segments", largest, self.unique_persons, "visits_unique_persons")
    }

    fn check_history(&self) -> Result<(), MeasureError> {
        for (year, visits) in &self.years {
            check_year("history.year", *year)?;
            let most = MOST * u64::from(WEEKS_OF_YEAR);
            MeasureError::check_bound("history.year", *visits, most, "the most that is taken")?;
        }
        for (year, week, visits) in &self.weeks {
            check_week("history.week", *year, *week)?;
            MeasureError::check_most("history.week", *visits)?;
        }
        ascending("history.year", "a year", &self.years, |year| year.0)?;
        ascending("history.week", "a week", &self.weeks, |week| (week.0, week.1))
    }
}

/// Refuses a year that no history speaks of.
pub fn check_year(member: &'static str, year: u16) -> Result<(), MeasureError> {
    if YEARS.contains(&year) { Ok(()) } else { Err(MeasureError::Year { member, year }) }
}

/// Refuses a week that its ISO year does not have.
pub fn check_week(member: &'static str, year: u16, week: u8) -> Result<(), MeasureError> {
    check_year(member, year)?;
    let last = weeks_in_year(year);
    if (1..=last).contains(&week) { Ok(()) } else { Err(MeasureError::Week { member, year, week, last }) }
}

/// Records on their way to their sum.
#[derive(Default)]
struct Sum {
    sum: Measure,
    origins: BTreeMap<GeographyIndex, u64>,
    segments: BTreeMap<SegmentIndex, u64>,
    years: BTreeMap<u16, u64>,
    weeks: BTreeMap<(u16, u8), u64>,
    uncertified: bool,
}

impl Sum {
    fn add(&mut self, measure: &Measure) {
        let sum = &mut self.sum;
        sum.modelled |= measure.modelled;
        self.uncertified |= !measure.certified;
        sum.activities += measure.activities;
        sum.unique_persons += measure.unique_persons;
        sum.dwell_minutes += measure.dwell_minutes;
        sum.local_visits += measure.local_visits;
        add_each(sum.hours.as_flattened_mut(), measure.hours.as_flattened());
        add_each(&mut sum.dwell, &measure.dwell);
        add_by_key(&mut self.origins, measure.origins.iter().copied());
        add_by_key(&mut self.segments, measure.segments.iter().copied());
        add_by_key(&mut self.years, measure.years.iter().copied());
        add_by_key(
            &mut self.weeks,
            measure.weeks.iter().map(|(year, week, visits)| ((*year, *week), *visits)),
        );
    }

    fn into_measure(self) -> Measure {
        Measure {
            certified: !self.uncertified,
            origins: self.origins.into_iter().collect(),
            segments: self.segments.into_iter().collect(),
            years: self.years.into_iter().collect(),
            weeks: self.weeks.into_iter().map(|((year, week), visits)| (year, week, visits)).collect(),
            ..self.sum
        }
    }
}

fn add_each(sums: &mut [u64], counts: &[u64]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

fn add_by_key<K: Ord>(sums: &mut BTreeMap<K, u64>, counts: impl Iterator<Item = (K, u64)>) {
    for (key, count) in counts {
        *sums.entry(key).or_default() += count;
    }
}

/// Adds counts up that may be anything.
fn total(member: &'static str, counts: impl Iterator<Item = u64>) -> Result<u64, MeasureError> {
    let total = counts.fold(0_u64, u64::saturating_add);
    MeasureError::check_most(member, total)?;
    Ok(total)
}

fn ascending<T, K: Ord>(
    member: &'static str,
    item: &'static str,
    items: &[T],
    key: impl Fn(&T) -> K,
) -> Result<(), MeasureError> {
    let ascend = items.is_sorted_by(|one, other| key(one) < key(other));
    if ascend { Ok(()) } else { Err(MeasureError::NotAscending { member, item }) }
}
