//! What a record is likely to hold, by what it has in common with others: a file keeps of each record how it
//! differs from that.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::apportion::apportion;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::record::Measure;

/// Ratios are kept in 2^24ths.
const RATIO_BITS: u32 = 24;

/// No prediction is larger, whatever a damaged ratio says.
const MOST_PREDICTED: u128 = 1 << 45;

/// The ZIP codes of so many neighbouring positions have common shares of the cohorts.
const NEIGHBOURS: u32 = 32;

/// Shares of the persons are kept in 2^16ths.
const SHARE_BITS: u32 = u16::BITS;

/// What the records of a file have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Predictor {
    /// Records are like one of these.
    pub(super) profiles: Vec<Profile>,
    pub(super) usual: UsualLists,
    /// For each of the usual cohorts, the sum that it is of the persons and of the cohorts before it, if it
    /// is one.
    pub(super) sums: Vec<Option<Sum>>,
    /// The shares that the usual cohorts have among visitors from the same neighbourhood: one row for each.
    pub(super) shares: Vec<u16>,
}

/// The lists that most records count the same things in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UsualLists {
    pub(super) cohorts: Vec<u32>,
    pub(super) years: Vec<u32>,
    /// By [`week_number`].
    pub(super) weeks: Vec<u32>,
}

/// How the visits of similar places divide, whatever their number is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Profile {
    /// The shares of hours, dwell and the usual weeks.
    pub(super) hours: Vec<u32>,
    pub(super) dwell: Vec<u32>,
    pub(super) weeks: Vec<u32>,
    /// To each visit.
    pub(super) activities: Ratio,
    pub(super) persons: Ratio,
    pub(super) dwell_minutes: Ratio,
    pub(super) visits_of_weeks: Ratio,
    /// Of each usual year: of the first to each visit, of the others to the year before.
    pub(super) years: Vec<Ratio>,
}

/// How many there are of one thing to each of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ratio(u64);

/// The numbers from one to another, less those from one to another: of the persons (0) and the cohorts (from
/// 1 on).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) plus: Range<u8>,
    pub(super) minus: Range<u8>,
}

/// Numbers, each with the sum of those before it.
#[derive(Debug)]
pub(super) struct Sums(Vec<u64>);

impl Predictor {
    /// Returns what predicts nothing: records are then kept nearly as they are.
    pub(super) fn blank() -> Self {
        let profiles = vec![Profile::blank(&UsualLists::default())];
        Self { profiles, usual: UsualLists::default(), sums: Vec::new(), shares: Vec::new() }
    }

    /// Returns the shares that the usual cohorts are likely to have of a record; none where nothing is known.
    pub(super) fn shares_of(&self, measure: &Measure) -> &[u16] {
        let cohorts = self.usual.cohorts.len();
        let row = neighbourhood(measure).and_then(|row| self.shares.get(row * cohorts..)?.get(..cohorts));
        row.unwrap_or_default()
    }
}

impl Profile {
    pub(super) fn blank(usual: &UsualLists) -> Self {
        Self {
            hours: vec![0; DAYS * HOURS],
            dwell: vec![0; DWELL_BINS],
            weeks: vec![0; usual.weeks.len()],
            years: vec![Ratio::default(); usual.years.len()],
            ..Self::default()
        }
    }

    /// Returns the visits of a usual year that are likely after those of the years before it.
    pub(super) fn year(&self, visits: u64, before: &[u64]) -> u64 {
        match before {
            // A place grows by the same factor each year, which is its county's and not its profile's.
            [.., one, other] if *one > 0 => {
                clamped(u128::from(*other) * u128::from(*other) / u128::from(*one))
            }
            [.., other] => self.years[before.len()].of(*other),
            [] => self.years[0].of(visits),
        }
    }

    /// Divides the visits of all weeks among the usual ones.
    pub(super) fn weeks(&self, visits_of_weeks: u64) -> Vec<u64> {
        apportion(visits_of_weeks, &self.weeks)
    }
}

impl Ratio {
    /// Takes the ratio of two counts; to none it is 0.
    pub(super) fn new(count: u64, to: u64) -> Self {
        let ratio = (u128::from(count) << RATIO_BITS).checked_div(u128::from(to)).unwrap_or(0);
        Self(u64::try_from(ratio).unwrap_or(u64::MAX))
    }

    /// Returns how many there are likely to be to so many.
    pub(super) fn of(self, to: u64) -> u64 {
        let product = u128::from(to) * u128::from(self.0);
        clamped((product + (1 << (RATIO_BITS - 1))) >> RATIO_BITS)
    }
}

impl Sums {
    /// Begins with the persons of a record.
    pub(super) fn new(persons: u64) -> Self {
        Self(vec![0, persons])
    }

    pub(super) fn push(&mut self, number: u64) {
        let so_far = self.0.last().copied().unwrap_or(0);
        self.0.push(so_far.saturating_add(number));
    }

    /// Returns a sum of what there is; 0 where it would be negative.
    pub(super) fn of(&self, sum: &Sum) -> u64 {
        let of = |range: &Range<u8>| self.0[usize::from(range.end)] - self.0[usize::from(range.start)];
        of(&sum.plus).saturating_sub(of(&sum.minus))
    }
}

/// Returns how many of some persons a share is.
pub(super) fn share_of(persons: u64, share: u16) -> u64 {
    (persons.saturating_mul(share.into()).saturating_add(1 << (SHARE_BITS - 1))) >> SHARE_BITS
}

/// Returns the share that some have of all.
pub(super) fn share(some: u64, all: u64) -> u16 {
    let share = (u128::from(some) << SHARE_BITS).checked_div(u128::from(all)).unwrap_or(0);
    u16::try_from(share).unwrap_or(u16::MAX)
}

/// Returns the row of the shares for a record: by the ZIP code that most visits come from.
pub(super) fn neighbourhood(measure: &Measure) -> Option<usize> {
    let most = measure.origins.iter().reduce(|most, other| if other.1 > most.1 { other } else { most })?;
    Some((most.0.raw() / NEIGHBOURS) as usize)
}

/// Returns a number by which weeks ascend.
pub(super) fn week_number(year: u16, week: u8) -> u32 {
    u32::from(year) << u8::BITS | u32::from(week)
}

/// Undoes [`week_number`].
pub(super) fn week_of(number: u32) -> Option<(u16, u8)> {
    Some((u16::try_from(number >> u8::BITS).ok()?, number as u8))
}

fn clamped(prediction: u128) -> u64 {
    prediction.min(MOST_PREDICTED) as u64
}
