//! Visit counts for a place, or the sums of these counts over several places. All counts are whole numbers,
//! and shares are always computed from them.

use super::error::MeasureError;
use super::iso_week::{WEEKS_OF_YEAR, weeks_in_year};
use super::limits::{DAYS, DWELL_BINS, HOURS, MINUTES_OF_WEEK, MOST, YEARS};
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;

/// The counts for an average week at a place, or the sum of these counts over several places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Whether any of the counts are modelled.
    pub modelled: bool,
    /// Whether the data provider vouches for the record. Always false for modelled records.
    pub certified: bool,
    /// The percentage of places of the same type that have fewer visits. `None` if it's unknown, or for the
    /// sum of several records.
    pub percentile: Option<u8>,
    /// The number of times that people were at or near the place.
    pub activities: u64,
    /// The number of distinct visitors.
    pub unique_persons: u64,
    /// The total duration of all visits, in minutes.
    pub dwell_minutes: u64,
    /// The number of visits by people who live nearby, usually within 10 miles.
    pub local_visits: u64,
    /// The number of visits by day of the week, starting with Monday, and by hour.
    pub hours: [[u64; HOURS]; DAYS],
    /// The number of visits in each duration bin.
    pub dwell: [u64; DWELL_BINS],
    /// The number of visits by the visitor's home ZIP code, sorted by ZIP code.
    pub origins: Vec<(GeographyIndex, u64)>,
    /// The number of visitors by cohort, sorted by cohort.
    pub segments: Vec<(SegmentIndex, u64)>,
    /// The number of visits by calendar year, in chronological order.
    pub years: Vec<(u16, u64)>,
    /// The number of visits by ISO year and week, in chronological order.
    pub weeks: Vec<(u16, u8, u64)>,
}

impl Measure {
    /// Returns the number of visits in an average week.
    pub fn visits(&self) -> u64 {
        self.hours.as_flattened().iter().sum()
    }

    /// Adds up records. Returns `None` if there are no records.
    ///
    /// If a record doesn't list an origin or cohort, its count is 0. The sum contains only years and weeks
    /// that all records list, because in other years and weeks, some of the places may not have been
    /// measured. The sum is certified if all records are certified, and modelled if any record is modelled.
    /// It has a percentile only if there's exactly one record.
    pub fn sum<'a>(measures: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut measures = measures.into_iter();
        let mut sum = measures.next()?.clone();
        let mut is_one = true;
        for measure in measures {
            sum.add(measure);
            is_one = false;
        }
        if !is_one {
            sum.percentile = None;
            add_up(&mut sum.origins, |one| (one.0, &mut one.1));
            add_up(&mut sum.segments, |one| (one.0, &mut one.1));
        }
        Some(sum)
    }

    /// Adds the counts of another record. Its origins and cohorts are appended without merging.
    fn add(&mut self, other: &Self) {
        self.modelled |= other.modelled;
        self.certified &= other.certified;
        self.activities += other.activities;
        self.unique_persons += other.unique_persons;
        self.dwell_minutes += other.dwell_minutes;
        self.local_visits += other.local_visits;
        let counts = self.hours.as_flattened_mut().iter_mut().chain(&mut self.dwell);
        counts
            .zip(other.hours.as_flattened().iter().chain(&other.dwell))
            .for_each(|(sum, count)| *sum += count);
        self.origins.extend_from_slice(&other.origins);
        self.segments.extend_from_slice(&other.segments);
        add_common(&mut self.years, &other.years, |one| one.0, |sum, one| sum.1 += one.1);
        add_common(&mut self.weeks, &other.weeks, |one| (one.0, one.1), |sum, one| sum.2 += one.2);
    }

    /// Checks whether the record of a single place is plausible.
    ///
    /// # Errors
    ///
    /// Returns an error for the first member that's out of range or contradicts another member.
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
        at_most("visits_unique_persons", self.unique_persons, visits, "the total number of visits")?;
        at_most("local_visits", self.local_visits, visits, "the total number of visits")?;
        let minutes = self.dwell_minutes.div_ceil(visits);
        at_most("visits_avg_dwell", minutes, MINUTES_OF_WEEK, "the number of minutes in a week")?;
        self.percentile.map_or(Ok(()), |one| at_most("percentile", u64::from(one), 100, "the maximum"))
    }

    fn check_parts(&self, visits: u64) -> Result<(), MeasureError> {
        let dwell = total("dwell", self.dwell.iter().copied())?;
        if dwell != visits {
            return Err(MeasureError::DwellDiffers { dwell, visits });
        }
        let origins = total("origins", self.origins.iter().map(|origin| origin.1))?;
        MeasureError::check_bound("origins", origins, visits, "the total number of visits")?;
        ascending("origins", "a ZIP code", &self.origins, |origin| origin.0)?;
        ascending("segments", "a cohort", &self.segments, |segment| segment.0)?;
        let largest = self.segments.iter().map(|segment| segment.1).max().unwrap_or(0);
        MeasureError::check_bound("segments", largest, self.unique_persons, "visits_unique_persons")
    }

    fn check_history(&self) -> Result<(), MeasureError> {
        for (year, visits) in &self.years {
            check_year("history.year", *year)?;
            let most = MOST * u64::from(WEEKS_OF_YEAR);
            MeasureError::check_bound("history.year", *visits, most, "the maximum")?;
        }
        for (year, week, visits) in &self.weeks {
            check_week("history.week", *year, *week)?;
            MeasureError::check_most("history.week", *visits)?;
        }
        ascending("history.year", "a year", &self.years, |year| year.0)?;
        ascending("history.week", "a week", &self.weeks, |week| (week.0, week.1))
    }
}

/// Checks that a year is in the supported range.
pub fn check_year(member: &'static str, year: u16) -> Result<(), MeasureError> {
    if YEARS.contains(&year) { Ok(()) } else { Err(MeasureError::Year { member, year }) }
}

/// Checks that a year is in the supported range and has the given ISO week.
pub fn check_week(member: &'static str, year: u16, week: u8) -> Result<(), MeasureError> {
    check_year(member, year)?;
    let last = weeks_in_year(year);
    if (1..=last).contains(&week) { Ok(()) } else { Err(MeasureError::Week { member, year, week, last }) }
}

/// Sorts counts by key and merges counts that have the same key.
fn add_up<T: Ord, K: PartialEq>(counts: &mut Vec<T>, parts: fn(&mut T) -> (K, &mut u64)) {
    counts.sort_unstable();
    counts.dedup_by(|next, kept| {
        let ((key, count), (known, sum)) = (parts(next), parts(kept));
        let is_same = key == known;
        if is_same {
            *sum += *count;
        }
        is_same
    });
}

/// Adds the counts in a list to the sums with the same keys. Sums with keys that aren't in the list are
/// removed. The list must be sorted by key.
fn add_common<T, K: Ord>(sums: &mut Vec<T>, counts: &[T], key: fn(&T) -> K, add: fn(&mut T, &T)) {
    sums.retain_mut(|sum| {
        let found = counts.binary_search_by_key(&key(sum), key);
        found.map(|at| add(sum, &counts[at])).is_ok()
    });
}

/// Returns the total of the counts. Returns an error if it exceeds [`MOST`].
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
