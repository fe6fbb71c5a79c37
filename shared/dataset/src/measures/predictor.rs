//! Predicts a record from patterns that are common to the records in a file. The file stores only the
//! differences from these predictions.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::apportion::apportion;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::record::Measure;

/// The number of fractional bits in a ratio. Ratios are multiples of 2^-24.
const RATIO_BITS: u32 = 24;

/// The maximum predicted count. It also limits predictions if the file is corrupted.
const MAX_PREDICTED: u128 = 1 << 45;

/// The number of consecutive ZIP codes in a neighborhood. Each neighborhood has one set of cohort shares.
const NEIGHBOURS: u32 = 32;

/// The number of fractional bits in a share of persons. Shares are multiples of 2^-16.
const SHARE_BITS: u32 = u16::BITS;

/// The patterns that are common to the records in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Predictor {
    /// At least one profile. Each record is encoded relative to one of them.
    pub(super) profiles: Vec<Profile>,
    pub(super) usual: UsualLists,
    /// For each usual cohort, the sum that predicts its persons from the total and from earlier cohorts, or
    /// `None` if no such sum is known.
    pub(super) sums: Vec<Option<Sum>>,
    /// Each usual cohort's share of the visitors from each neighborhood, with one row per neighborhood.
    pub(super) shares: Vec<u16>,
}

/// The most common lists of keys in a file's records. The cohorts, years, and weeks in these lists are called
/// usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UsualLists {
    pub(super) cohorts: Vec<u32>,
    pub(super) years: Vec<u32>,
    /// The weeks, encoded by [`week_number`].
    pub(super) weeks: Vec<u32>,
}

/// The distribution of visits at similar places, independent of the number of visits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Profile {
    /// Each hour's share of the week's visits. `dwell` and `weeks` also contain shares of visits.
    pub(super) hours: Vec<u32>,
    pub(super) dwell: Vec<u32>,
    pub(super) weeks: Vec<u32>,
    /// The activities per visit. The next three ratios are also per visit.
    pub(super) activities: Ratio,
    pub(super) persons: Ratio,
    pub(super) dwell_minutes: Ratio,
    pub(super) visits_of_weeks: Ratio,
    /// For each usual year, its visits divided by the previous year's visits. The first year's visits are
    /// divided by the weekly visits.
    pub(super) years: Vec<Ratio>,
}

/// A ratio between two counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ratio(u64);

/// The sum of one range of numbers minus the sum of another. Position 0 is the total number of persons, and
/// the following positions are the cohorts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) plus: Range<u8>,
    pub(super) minus: Range<u8>,
}

/// Prefix sums over the total number of persons and the cohorts.
#[derive(Debug)]
pub(super) struct Sums(Vec<u64>);

impl Predictor {
    /// Returns a predictor that predicts 0 for every count. Encoding with it stores the counts themselves.
    pub(super) fn blank() -> Self {
        let profiles = vec![Profile::blank(&UsualLists::default())];
        Self { profiles, usual: UsualLists::default(), sums: Vec::new(), shares: Vec::new() }
    }

    /// Returns the predicted share of each usual cohort in a record. The slice is empty if the shares aren't
    /// known.
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

    /// Predicts the visits in a usual year from the weekly visits and from the visits in earlier years.
    pub(super) fn year(&self, visits: u64, before: &[u64]) -> u64 {
        match before {
            // Assume the same growth factor as in the previous year. The factor depends on the county, so it
            // isn't part of the profile.
            [.., one, other] if *one > 0 => {
                clamped(u128::from(*other) * u128::from(*other) / u128::from(*one))
            }
            [.., other] => self.years[before.len()].of(*other),
            [] => self.years[0].of(visits),
        }
    }

    /// Distributes the total visits in the usual weeks over these weeks.
    pub(super) fn weeks(&self, visits_of_weeks: u64) -> Vec<u64> {
        apportion(visits_of_weeks, &self.weeks)
    }
}

impl Ratio {
    /// Returns `count` divided by `to`, or 0 if `to` is 0.
    pub(super) fn new(count: u64, to: u64) -> Self {
        let ratio = (u128::from(count) << RATIO_BITS).checked_div(u128::from(to)).unwrap_or(0);
        Self(u64::try_from(ratio).unwrap_or(u64::MAX))
    }

    /// Predicts a count by multiplying `to` by the ratio.
    pub(super) fn of(self, to: u64) -> u64 {
        let product = u128::from(to) * u128::from(self.0);
        clamped((product + (1 << (RATIO_BITS - 1))) >> RATIO_BITS)
    }
}

impl Sums {
    /// Creates the prefix sums for the total number of persons, without any cohorts.
    pub(super) fn new(persons: u64) -> Self {
        Self(vec![0, persons])
    }

    pub(super) fn push(&mut self, number: u64) {
        let so_far = self.0.last().copied().unwrap_or(0);
        self.0.push(so_far.saturating_add(number));
    }

    /// Evaluates a sum. A negative result becomes 0.
    pub(super) fn of(&self, sum: &Sum) -> u64 {
        let of = |range: &Range<u8>| self.0[usize::from(range.end)] - self.0[usize::from(range.start)];
        of(&sum.plus).saturating_sub(of(&sum.minus))
    }
}

/// Multiplies a number of persons by a share and rounds the result.
pub(super) fn share_of(persons: u64, share: u16) -> u64 {
    (persons.saturating_mul(share.into()).saturating_add(1 << (SHARE_BITS - 1))) >> SHARE_BITS
}

/// Returns `some` as a share of `all`, or 0 if `all` is 0.
pub(super) fn share(some: u64, all: u64) -> u16 {
    let share = (u128::from(some) << SHARE_BITS).checked_div(u128::from(all)).unwrap_or(0);
    u16::try_from(share).unwrap_or(u16::MAX)
}

/// Returns the number of the neighborhood with the ZIP code that most visits come from, or `None` if the
/// record has no origins.
pub(super) fn neighbourhood(measure: &Measure) -> Option<usize> {
    let most = measure.origins.iter().reduce(|most, other| if other.1 > most.1 { other } else { most })?;
    Some((most.0.raw() / NEIGHBOURS) as usize)
}

/// Encodes a week as a number that increases with time.
pub(super) fn week_number(year: u16, week: u8) -> u32 {
    u32::from(year) << u8::BITS | u32::from(week)
}

/// Decodes a [`week_number`] into the year and the week. Returns `None` if the year is out of range.
pub(super) fn week_of(number: u32) -> Option<(u16, u8)> {
    Some((u16::try_from(number >> u8::BITS).ok()?, number as u8))
}

fn clamped(prediction: u128) -> u64 {
    prediction.min(MAX_PREDICTED) as u64
}
