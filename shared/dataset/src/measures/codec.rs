//! Encodes records as bit streams. Most counts are encoded as differences from predictions.

use thiserror::Error;

use super::apportion::apportion;
use super::bit_stream::{BitReader, BitStream, BitWriter, corrected, residual};
use super::error::MeasureError;
use super::predictor::{Predictor, Profile, Sums, share_of, week_number, week_of};
use super::record::Measure;
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;
use crate::release::file::bits_for;

/// The number of bits for a percentile.
const PERCENTILE_BITS: u32 = 7;

/// The number of low bits in the Rice code for the total duration in minutes.
const MINUTES_BITS: u32 = 6;

/// The reason why a stored record can't be decoded.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum RecordError {
    #[error("it is outside the file")]
    OutsideTheFile,
    #[error("it is followed by extra bytes ({0})")]
    Trailing(usize),
    /// The record is truncated, or one of its numbers is too large.
    #[error("its numbers are truncated or out of range")]
    OutOfRange,
    #[error(transparent)]
    Untrue(#[from] MeasureError),
}

/// Encodes a record with the given profile of the predictor. The record must pass [`Measure::check`]. The
/// number of visits isn't included, because it's stored in a separate section.
pub(super) fn encode(measure: &Measure, predictor: &Predictor, profile: usize) -> Vec<u8> {
    let mut stream = BitWriter::default();
    let written = code(&mut stream, measure, profile, measure.visits(), predictor);
    written.expect("a checked record can be encoded");
    stream.finish()
}

/// Returns whether a record is modelled, as stored in its first bit. Returns `None` for an empty record.
pub(super) fn is_modelled(record: &[u8]) -> Option<bool> {
    BitReader::new(record).flag(false)
}

/// Decodes a record that has the given number of visits, and checks it.
pub(super) fn decode(bytes: &[u8], visits: u32, predictor: &Predictor) -> Result<Measure, RecordError> {
    let mut stream = BitReader::new(bytes);
    let measure = code(&mut stream, &Measure::default(), 0, visits.into(), predictor);
    let measure = measure.ok_or(RecordError::OutOfRange)?;
    match stream.bytes_left() {
        0 => measure.check()?,
        left => return Err(RecordError::Trailing(left)),
    }
    Ok(measure)
}

/// Writes `given` to a stream, or reads a record from a stream and ignores `given` and `profile`. Returns the
/// record, or `None` if the stream is truncated or contains an out-of-range number.
fn code(
    stream: &mut impl BitStream,
    given: &Measure,
    profile: usize,
    visits: u64,
    predictor: &Predictor,
) -> Option<Measure> {
    let modelled = stream.flag(given.modelled)?;
    let mut measure = Measure { modelled, certified: stream.flag(given.certified)?, ..Measure::default() };
    if stream.flag(given.percentile.is_some())? {
        let percentile = stream.bits(given.percentile.unwrap_or(0).into(), PERCENTILE_BITS)?;
        measure.percentile = Some(percentile as u8);
    }
    let profile = stream.bits(profile as u64, bits_for(predictor.profiles.len() as u32 - 1))?;
    let profile = predictor.profiles.get(profile as usize)?;
    measure.activities = stream.predicted(given.activities, profile.activities.of(visits))?;
    measure.unique_persons = stream.predicted(given.unique_persons, profile.persons.of(visits))?;
    let minutes = profile.dwell_minutes.of(visits);
    let differing = stream.rice(residual(given.dwell_minutes, minutes), MINUTES_BITS)?;
    measure.dwell_minutes = corrected(minutes, differing)?;
    measure.local_visits = stream.bits(given.local_visits, u64::BITS - visits.leading_zeros())?;
    let hours = stream.mostly_predicted(given.hours.as_flattened(), apportion(visits, &profile.hours))?;
    measure.hours.as_flattened_mut().copy_from_slice(&hours);
    let dwell = stream.mostly_predicted(&given.dwell, apportion(visits, &profile.dwell))?;
    measure.dwell.copy_from_slice(&dwell);
    measure.origins = origins(stream, &given.origins)?;
    measure.segments = cohorts(stream, &given.segments, &measure, predictor)?;
    measure.years = years(stream, &given.years, visits, predictor, profile)?;
    measure.weeks = weeks(stream, &given.weeks, visits, predictor, profile)?;
    Some(measure)
}

fn origins(
    stream: &mut impl BitStream,
    given: &[(GeographyIndex, u64)],
) -> Option<Vec<(GeographyIndex, u64)>> {
    let (zips, visits): (Vec<u32>, Vec<u64>) = given.iter().map(|(zip, visits)| (zip.raw(), *visits)).unzip();
    let zips = stream.keys(&zips)?;
    let visits = stream.numbers(&visits, zips.len())?;
    Some(zips.into_iter().map(GeographyIndex::from_raw).zip(visits).collect())
}

fn cohorts(
    stream: &mut impl BitStream,
    given: &[(SegmentIndex, u64)],
    measure: &Measure,
    predictor: &Predictor,
) -> Option<Vec<(SegmentIndex, u64)>> {
    let given = given.iter().map(|(cohort, persons)| (cohort.raw().into(), *persons));
    let counted = counts(stream, given, &predictor.usual.cohorts, |stream, persons| {
        usual_cohorts(stream, persons, measure, predictor)
    });
    let of_one = |(cohort, persons)| Some((SegmentIndex::from_raw(u16::try_from(cohort).ok()?), persons));
    counted?.into_iter().map(of_one).collect()
}

/// Writes or reads the number of persons in each of the predictor's usual cohorts. Cohorts that are predicted
/// from other cohorts come last.
fn usual_cohorts(
    stream: &mut impl BitStream,
    given: &[u64],
    measure: &Measure,
    predictor: &Predictor,
) -> Option<Vec<u64>> {
    let (shares, count) = (predictor.shares_of(measure), predictor.sums.len());
    let prediction = |at: usize, sums: &Sums| match &predictor.sums[at] {
        Some(sum) => sums.of(sum),
        None => shares.get(at).map_or(0, |share| share_of(measure.unique_persons, *share)),
    };
    let (mut by_share, mut by_sum) = (Vec::new(), Vec::new());
    let mut sums = Sums::new(measure.unique_persons);
    for (at, persons) in given.iter().enumerate() {
        let residuals = if predictor.sums[at].is_some() { &mut by_sum } else { &mut by_share };
        residuals.push(residual(*persons, prediction(at, &sums)));
        sums.push(*persons);
    }
    let of_sums = predictor.sums.iter().flatten().count();
    let mut by_share = stream.numbers(&by_share, count - of_sums)?.into_iter();
    let mut by_sum = stream.sparse(&by_sum, of_sums)?.into_iter();
    let mut sums = Sums::new(measure.unique_persons);
    let persons = |at: usize| {
        let is_sum = predictor.sums[at].is_some();
        let residual = if is_sum { by_sum.next().unwrap_or(0) } else { by_share.next()? };
        let persons = corrected(prediction(at, &sums), residual)?;
        sums.push(persons);
        Some(persons)
    };
    (0..count).map(persons).collect()
}

fn years(
    stream: &mut impl BitStream,
    given: &[(u16, u64)],
    visits: u64,
    predictor: &Predictor,
    profile: &Profile,
) -> Option<Vec<(u16, u64)>> {
    let given = given.iter().map(|(year, visits)| (u32::from(*year), *visits));
    let usual = &predictor.usual.years;
    let counted = counts(stream, given, usual, |stream, given| {
        let mut of_years = Vec::with_capacity(usual.len());
        for at in 0..usual.len() {
            let predicted = profile.year(visits, &of_years);
            let this = residual(given.get(at).copied().unwrap_or(0), predicted);
            of_years.push(corrected(predicted, stream.rice(this, year_bits(predicted, at))?)?);
        }
        Some(of_years)
    });
    counted?.into_iter().map(|(year, visits)| Some((u16::try_from(year).ok()?, visits))).collect()
}

/// Returns the number of low bits in the Rice code for a year's visits. `at` is the number of earlier years.
/// With fewer than two, growth can't be extrapolated, so the prediction is usually off by a few percent.
fn year_bits(predicted: u64, at: usize) -> u32 {
    if at < 2 { (predicted / 64).checked_ilog2().unwrap_or(0) } else { 0 }
}

fn weeks(
    stream: &mut impl BitStream,
    given: &[(u16, u8, u64)],
    visits: u64,
    predictor: &Predictor,
    profile: &Profile,
) -> Option<Vec<(u16, u8, u64)>> {
    let given = given.iter().map(|(year, week, visits)| (week_number(*year, *week), *visits));
    let counted = counts(stream, given, &predictor.usual.weeks, |stream, given| {
        let all = stream.predicted(given.iter().sum(), profile.visits_of_weeks.of(visits))?;
        stream.mostly_predicted(given, profile.weeks(all))
    });
    let of_one = |(number, visits)| week_of(number).map(|(year, week)| (year, week, visits));
    counted?.into_iter().map(of_one).collect()
}

/// Writes or reads counts and their keys. If the keys equal `usual`, only the counts are written or read, by
/// `as_predicted`.
fn counts<S: BitStream>(
    stream: &mut S,
    given: impl Iterator<Item = (u32, u64)>,
    usual: &[u32],
    as_predicted: impl FnOnce(&mut S, &[u64]) -> Option<Vec<u64>>,
) -> Option<Vec<(u32, u64)>> {
    let (keys, counts): (Vec<u32>, Vec<u64>) = given.unzip();
    let (keys, counts) = if stream.flag(keys == usual)? {
        (usual.to_vec(), as_predicted(stream, &counts)?)
    } else {
        let keys = stream.keys(&keys)?;
        let counts = stream.numbers(&counts, keys.len())?;
        (keys, counts)
    };
    Some(keys.into_iter().zip(counts).collect())
}
