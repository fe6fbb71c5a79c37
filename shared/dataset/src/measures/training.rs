//! Trains a predictor on the records in a file. Training is deterministic, because it uses integer sums and
//! no randomness.

use std::cmp::Reverse;

use foldhash::HashMap;

use super::apportion::shares_of;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::predictor::{Predictor, Profile, Ratio, Sum, UsualLists, neighbourhood, share, week_number};
use super::record::Measure;

/// The maximum numbers of profiles for modelled and for measured records. Measured records vary too much for
/// a limited number of profiles, so they have a separate limit that prevents them from displacing the
/// profiles of modelled records.
const MAX_PROFILES: [usize; 2] = [48, 16];

/// The minimum difference, in visits, for a new profile. A record gets a new profile if it differs from every
/// profile by more than this number and by more than `UNLIKE_PART` of its visits.
const UNLIKE_VISITS: f64 = 96.0;
/// The minimum difference for a new profile, as a fraction of the record's visits.
const UNLIKE_PART: f64 = 1.0 / 64.0;

/// The maximum number of neighborhoods for which shares are stored.
const MAX_NEIGHBOURHOODS: usize = 1 << 14;

/// The number of positions that a sum can refer to. Positions are stored in one byte.
const MAX_OF_SUMS: usize = 254;

/// The lists of keys in the records, and the number of records with each list.
#[derive(Debug, Default)]
pub(super) struct ListCounts {
    cohorts: HashMap<Vec<u32>, u32>,
    years: HashMap<Vec<u32>, u32>,
    weeks: HashMap<Vec<u32>, u32>,
}

/// The training state, which consists of sums over the records so far.
#[derive(Debug)]
pub(super) struct Training {
    usual: UsualLists,
    profiles: Vec<ProfileSums>,
    /// For each neighborhood, the total number of persons, followed by the persons in each usual cohort.
    neighbourhoods: Vec<Vec<u64>>,
    /// The fingerprints of the total number of persons and of each usual cohort. A fingerprint is the sum of
    /// a count over all records, with each record weighted by its own pseudorandom factor. The first list is
    /// for modelled records, and the second one for measured records.
    fingerprints: [Vec<u64>; 2],
    met: u64,
}

/// Sums over the records that were assigned to a profile.
#[derive(Clone, Debug, Default)]
struct ProfileSums {
    /// Whether the profile is for modelled records.
    modelled: bool,
    visits: u64,
    activities: u64,
    persons: u64,
    dwell_minutes: u64,
    hours: Vec<u64>,
    dwell: Vec<u64>,
    weeks: Vec<u64>,
    years: Vec<u64>,
    /// The total visits in the records that list exactly the usual weeks.
    visits_with_weeks: u64,
    /// The total visits in the records that list exactly the usual years.
    visits_with_years: u64,
}

impl ListCounts {
    pub(super) fn meet(&mut self, measure: &Measure) {
        *self.cohorts.entry(cohorts(measure)).or_default() += 1;
        *self.years.entry(years(measure)).or_default() += 1;
        *self.weeks.entry(week_numbers(measure)).or_default() += 1;
    }

    /// Returns the most frequent list of each kind.
    pub(super) fn usual(self) -> UsualLists {
        UsualLists {
            cohorts: most_frequent(self.cohorts),
            years: most_frequent(self.years),
            weeks: most_frequent(self.weeks),
        }
    }
}

impl Training {
    pub(super) fn new(usual: UsualLists) -> Self {
        let numbers = usual.cohorts.len() + 1;
        Self {
            usual,
            profiles: Vec::new(),
            neighbourhoods: Vec::new(),
            fingerprints: [vec![0; numbers], vec![0; numbers]],
            met: 0,
        }
    }

    /// Trains on a record and returns the number of the profile that it's assigned to. Records with more
    /// visits must come first, because their distributions are more precise.
    pub(super) fn learn(&mut self, measure: &Measure) -> usize {
        self.met += 1;
        if cohorts(measure) == self.usual.cohorts {
            self.learn_cohorts(measure);
        }
        let visits = measure.visits();
        let of_its_kind =
            || self.profiles.iter().enumerate().filter(|(_, profile)| profile.modelled == measure.modelled);
        let nearest = of_its_kind()
            .map(|(at, profile)| (at, profile.difference_of(measure, visits)))
            .min_by(|one, other| one.1.total_cmp(&other.1));
        let is_last = of_its_kind().count() == MAX_PROFILES[usize::from(!measure.modelled)];
        let unlike = UNLIKE_VISITS.max(visits as f64 * UNLIKE_PART);
        let at = match nearest {
            Some((at, difference)) if difference <= unlike || is_last => at,
            _ => {
                self.profiles.push(ProfileSums::blank(measure.modelled, &self.usual));
                self.profiles.len() - 1
            }
        };
        self.profiles[at].add(measure, visits, &self.usual);
        at
    }

    /// Creates the predictor from the records so far.
    pub(super) fn predictor(&self) -> Predictor {
        let mut profiles: Vec<Profile> = self.profiles.iter().map(ProfileSums::profile).collect();
        if profiles.is_empty() {
            profiles.push(Profile::blank(&self.usual));
        }
        let [of_model, of_others] = &self.fingerprints;
        let sums = sums_among(if of_model.iter().any(|print| *print != 0) { of_model } else { of_others });
        let shares = self.neighbourhoods.iter().flat_map(|persons| {
            let (all, of_cohorts) = persons.split_first().expect("the first number is the total of persons");
            let share_of = |(cohort, sum): (&u64, &Option<Sum>)| {
                if sum.is_some() { 0 } else { share(*cohort, *all) }
            };
            of_cohorts.iter().zip(&sums).map(share_of).collect::<Vec<u16>>()
        });
        Predictor { profiles, usual: self.usual.clone(), shares: shares.collect(), sums }
    }

    fn learn_cohorts(&mut self, measure: &Measure) {
        let persons = || {
            let of_cohorts = measure.segments.iter().map(|segment| segment.1);
            std::iter::once(measure.unique_persons).chain(of_cohorts)
        };
        let factor = factor(self.met);
        for (print, persons) in self.fingerprints[usize::from(!measure.modelled)].iter_mut().zip(persons()) {
            *print = print.wrapping_add(factor.wrapping_mul(persons));
        }
        let Some(at) = neighbourhood(measure).filter(|at| *at < MAX_NEIGHBOURHOODS) else { return };
        if at >= self.neighbourhoods.len() {
            self.neighbourhoods.resize(at + 1, vec![0; self.usual.cohorts.len() + 1]);
        }
        add_each(&mut self.neighbourhoods[at], persons());
    }
}

impl ProfileSums {
    fn blank(modelled: bool, usual: &UsualLists) -> Self {
        Self {
            modelled,
            hours: vec![0; DAYS * HOURS],
            dwell: vec![0; DWELL_BINS],
            weeks: vec![0; usual.weeks.len()],
            years: vec![0; usual.years.len()],
            ..Self::default()
        }
    }

    /// Returns the sum of the absolute differences between a record and its prediction by this profile, over
    /// the visits in all bins, the persons, and the activities.
    fn difference_of(&self, measure: &Measure, visits: u64) -> f64 {
        let part = visits as f64 / self.visits as f64;
        let differ = |sum: u64, count: u64| (sum as f64 * part - count as f64).abs();
        let hours = self.hours.iter().zip(measure.hours.as_flattened());
        let dwell = self.dwell.iter().zip(&measure.dwell);
        hours.chain(dwell).map(|(sum, count)| differ(*sum, *count)).sum::<f64>()
            + differ(self.activities, measure.activities)
            + differ(self.persons, measure.unique_persons)
    }

    fn add(&mut self, measure: &Measure, visits: u64, usual: &UsualLists) {
        self.visits += visits;
        self.activities += measure.activities;
        self.persons += measure.unique_persons;
        self.dwell_minutes += measure.dwell_minutes;
        add_each(&mut self.hours, measure.hours.as_flattened().iter().copied());
        add_each(&mut self.dwell, measure.dwell.iter().copied());
        if week_numbers(measure) == usual.weeks {
            self.visits_with_weeks += visits;
            add_each(&mut self.weeks, measure.weeks.iter().map(|week| week.2));
        }
        if years(measure) == usual.years {
            self.visits_with_years += visits;
            add_each(&mut self.years, measure.years.iter().map(|year| year.1));
        }
    }

    fn profile(&self) -> Profile {
        let to = |count| Ratio::new(count, self.visits);
        let before = std::iter::once(self.visits_with_years).chain(self.years.iter().copied());
        Profile {
            hours: shares_of(&self.hours),
            dwell: shares_of(&self.dwell),
            weeks: shares_of(&self.weeks),
            activities: to(self.activities),
            persons: to(self.persons),
            dwell_minutes: to(self.dwell_minutes),
            visits_of_weeks: Ratio::new(self.weeks.iter().sum(), self.visits_with_weeks),
            years: self.years.iter().zip(before).map(|(year, before)| Ratio::new(*year, before)).collect(),
        }
    }
}

/// Returns the positions of the records in training order, which is by descending visits.
pub(super) fn by_visits(visits: impl ExactSizeIterator<Item = u32>) -> Vec<usize> {
    let visits: Vec<u32> = visits.collect();
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.sort_by_key(|at| Reverse(visits[*at]));
    order
}

/// Finds the cohorts that always equal the sum of a range of earlier numbers, or the difference between two
/// such sums. The first number is the total number of persons, and the others are the cohorts. Fingerprints
/// add up like the numbers themselves, so only the fingerprints are compared.
fn sums_among(fingerprints: &[u64]) -> Vec<Option<Sum>> {
    let mut known: HashMap<u64, (u8, u8)> = HashMap::default();
    known.insert(0, (0, 0));
    let mut ranges: Vec<(u64, u8, u8)> = Vec::new();
    let mut sums = Vec::new();
    for (at, print) in fingerprints.iter().enumerate() {
        if at > 0 {
            let difference = |&(sum, start, end): &(u64, u8, u8)| {
                let minus = known.get(&sum.wrapping_sub(*print))?;
                Some(Sum { plus: start..end, minus: minus.0..minus.1 })
            };
            // A cohort without persons in any record is predicted as a share of 0, not as a sum.
            sums.push(ranges.iter().find_map(difference).filter(|_| *print != 0));
        }
        if at < MAX_OF_SUMS {
            let mut sum = 0_u64;
            for start in (0..=at).rev() {
                sum = sum.wrapping_add(fingerprints[start]);
                let range = (start as u8, at as u8 + 1);
                ranges.push((sum, range.0, range.1));
                known.entry(sum).or_insert(range);
            }
        }
    }
    sums
}

/// Returns a pseudorandom odd factor for a number, computed with SplitMix64.
fn factor(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)) | 1
}

fn cohorts(measure: &Measure) -> Vec<u32> {
    measure.segments.iter().map(|segment| segment.0.raw().into()).collect()
}

fn years(measure: &Measure) -> Vec<u32> {
    measure.years.iter().map(|year| year.0.into()).collect()
}

fn week_numbers(measure: &Measure) -> Vec<u32> {
    measure.weeks.iter().map(|(year, week, _)| week_number(*year, *week)).collect()
}

/// Returns the most frequent list. If several lists are equally frequent, returns the smallest one.
fn most_frequent<T: Ord>(met: HashMap<Vec<T>, u32>) -> Vec<T> {
    let most = met.into_iter().max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)));
    most.map(|(list, _)| list).unwrap_or_default()
}

fn add_each(sums: &mut [u64], counts: impl Iterator<Item = u64>) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}
