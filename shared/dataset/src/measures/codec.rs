//! The compact form of a record: how it differs from what was predicted, in a stream of bits.

use thiserror::Error;

use super::apportion::apportion;
use super::bit_stream::{BitReader, BitWriter, signed, unsigned};
use super::error::MeasureError;
use super::predictor::{Predictor, Profile, Sums, share_of, week_number, week_of};
use super::record::Measure;
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;
use crate::release::file::bits_for;

/// Bits of a percentile.
const PERCENTILE_BITS: u32 = 7;

/// Of how long a list is, and of the first position in it, so many bits are written as they are.
const LENGTH_BITS: u32 = 5;
const FIRST_BITS: u32 = 12;

/// Of the minutes of all visits, so many bits are written as they are.
const MINUTES_BITS: u32 = 6;

/// Stands for a residual of 0 among numbers without a sign.
const MIDDLE: u64 = 1 << 62;

/// Why stored bytes are no record.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum RecordError {
    #[error("it lies outside the file")]
    OutsideTheFile,
    #[error("{0} bytes follow it")]
    Trailing(usize),
    /// It ends too early, or a number is more than there can be.
    #[error("its numbers are cut off or out of range")]
    OutOfRange,
    #[error(transparent)]
    Untrue(#[from] MeasureError),
}

/// Writes a record that [`Measure::check`] lets pass, as one of a profile. Its visits are kept elsewhere.
pub(super) fn encode(measure: &Measure, predictor: &Predictor, profile: usize) -> Vec<u8> {
    let (mut out, visits) = (BitWriter::default(), measure.visits());
    out.flag(measure.modelled);
    out.flag(measure.certified);
    out.flag(measure.percentile.is_some());
    if let Some(percentile) = measure.percentile {
        out.bits(percentile.into(), PERCENTILE_BITS);
    }
    out.bits(profile as u64, profile_bits(predictor));
    let profile = &predictor.profiles[profile];
    put_residual(&mut out, measure.activities, profile.activities.of(visits));
    put_residual(&mut out, measure.unique_persons, profile.persons.of(visits));
    let minutes = profile.dwell_minutes.of(visits);
    out.rice(unsigned(residual(measure.dwell_minutes, minutes)), MINUTES_BITS);
    out.bits(measure.local_visits, bits_for_visits(visits));
    put_parts(&mut out, measure.hours.as_flattened(), apportion(visits, &profile.hours));
    put_parts(&mut out, &measure.dwell, apportion(visits, &profile.dwell));
    put_origins(&mut out, &measure.origins);
    put_cohorts(&mut out, measure, predictor);
    put_years(&mut out, measure, predictor, profile);
    put_weeks(&mut out, measure, predictor, profile);
    out.finish()
}

/// Reads whether a model derived any of a record, which stands at its beginning.
pub(super) fn is_modelled(record: &[u8]) -> Option<bool> {
    BitReader::new(record).flag()
}

/// Reads a record of so many visits.
pub(super) fn decode(bytes: &[u8], visits: u32, predictor: &Predictor) -> Result<Measure, RecordError> {
    let mut stream = BitReader::new(bytes);
    let measure = read(&mut stream, visits.into(), predictor).ok_or(RecordError::OutOfRange)?;
    match stream.bytes_left() {
        0 => measure.check()?,
        left => return Err(RecordError::Trailing(left)),
    }
    Ok(measure)
}

fn read(stream: &mut BitReader<'_>, visits: u64, predictor: &Predictor) -> Option<Measure> {
    let mut measure = Measure { modelled: stream.flag()?, certified: stream.flag()?, ..Measure::default() };
    if stream.flag()? {
        measure.percentile = Some(stream.bits(PERCENTILE_BITS)? as u8);
    }
    let profile = predictor.profiles.get(stream.bits(profile_bits(predictor))? as usize)?;
    measure.activities = corrected(profile.activities.of(visits), stream.gamma()?)?;
    measure.unique_persons = corrected(profile.persons.of(visits), stream.gamma()?)?;
    measure.dwell_minutes = corrected(profile.dwell_minutes.of(visits), stream.rice(MINUTES_BITS)?)?;
    measure.local_visits = stream.bits(bits_for_visits(visits))?;
    let mut hours = apportion(visits, &profile.hours);
    stream.add_sparse(&mut hours)?;
    measure.hours.as_flattened_mut().copy_from_slice(&hours);
    let mut dwell = apportion(visits, &profile.dwell);
    stream.add_sparse(&mut dwell)?;
    measure.dwell.copy_from_slice(&dwell);
    measure.origins = read_origins(stream)?;
    measure.segments = read_cohorts(stream, &measure, predictor)?;
    measure.years = read_years(stream, visits, predictor, profile)?;
    measure.weeks = read_weeks(stream, visits, predictor, profile)?;
    Some(measure)
}

fn put_origins(out: &mut BitWriter, origins: &[(GeographyIndex, u64)]) {
    put_keys(out, origins.iter().map(|origin| origin.0.raw()));
    out.numbers(origins.iter().map(|origin| origin.1));
}

fn read_origins(stream: &mut BitReader<'_>) -> Option<Vec<(GeographyIndex, u64)>> {
    let zips = read_keys(stream)?;
    let visits = stream.numbers(zips.len())?;
    Some(zips.into_iter().map(GeographyIndex::from_raw).zip(visits).collect())
}

fn put_cohorts(out: &mut BitWriter, measure: &Measure, predictor: &Predictor) {
    let segments = &measure.segments;
    let are_usual =
        segments.iter().map(|segment| segment.0.raw()).eq(predictor.usual.cohorts.iter().copied());
    out.flag(are_usual);
    if !are_usual {
        put_keys(out, segments.iter().map(|segment| segment.0.raw().into()));
        return out.numbers(segments.iter().map(|segment| segment.1));
    }
    let (shares, mut sums) = (predictor.shares_of(measure), Sums::new(measure.unique_persons));
    let (mut by_share, mut by_sum) = (Vec::new(), Vec::new());
    for (at, (_, persons)) in segments.iter().enumerate() {
        match &predictor.sums[at] {
            Some(sum) => by_sum.push(residual(*persons, sums.of(sum))),
            None => by_share.push(unsigned(residual(*persons, by_shares(measure, shares, at)))),
        }
        sums.push(*persons);
    }
    out.numbers(by_share.into_iter());
    out.sparse(&by_sum);
}

fn read_cohorts(
    stream: &mut BitReader<'_>,
    measure: &Measure,
    predictor: &Predictor,
) -> Option<Vec<(SegmentIndex, u64)>> {
    if !stream.flag()? {
        let cohorts = read_keys(stream)?;
        let persons = stream.numbers(cohorts.len())?;
        let of_one = |(cohort, persons)| Some((SegmentIndex::from_raw(u16::try_from(cohort).ok()?), persons));
        return cohorts.into_iter().zip(persons).map(of_one).collect();
    }
    let count_of_sums = predictor.sums.iter().flatten().count();
    let mut by_share = stream.numbers(predictor.sums.len() - count_of_sums)?.into_iter();
    // Sums may be less than was predicted: what is added to is the middle of what there can be.
    let mut by_sum = vec![MIDDLE; count_of_sums];
    stream.add_sparse(&mut by_sum)?;
    let mut by_sum = by_sum.into_iter();
    let (shares, mut sums) = (predictor.shares_of(measure), Sums::new(measure.unique_persons));
    let of_one = |(at, cohort): (usize, &u16)| {
        let persons = match &predictor.sums[at] {
            Some(sum) => sums.of(sum).checked_add(by_sum.next()?)?.checked_sub(MIDDLE)?,
            None => corrected(by_shares(measure, shares, at), by_share.next()?)?,
        };
        sums.push(persons);
        Some((SegmentIndex::from_raw(*cohort), persons))
    };
    predictor.usual.cohorts.iter().enumerate().map(of_one).collect()
}

fn by_shares(measure: &Measure, shares: &[u16], at: usize) -> u64 {
    shares.get(at).map_or(0, |share| share_of(measure.unique_persons, *share))
}

fn put_years(out: &mut BitWriter, measure: &Measure, predictor: &Predictor, profile: &Profile) {
    let years = &measure.years;
    let are_usual = years.iter().map(|year| year.0).eq(predictor.usual.years.iter().copied());
    out.flag(are_usual);
    if !are_usual {
        put_keys(out, years.iter().map(|year| year.0.into()));
        return out.numbers(years.iter().map(|year| year.1));
    }
    let visits: Vec<u64> = years.iter().map(|year| year.1).collect();
    for (at, this) in visits.iter().enumerate() {
        let predicted = profile.year(measure.visits(), &visits[..at]);
        out.rice(unsigned(residual(*this, predicted)), year_bits(predicted, at));
    }
}

fn read_years(
    stream: &mut BitReader<'_>,
    visits: u64,
    predictor: &Predictor,
    profile: &Profile,
) -> Option<Vec<(u16, u64)>> {
    if !stream.flag()? {
        let years = read_keys(stream)?;
        let visits = stream.numbers(years.len())?;
        return years
            .into_iter()
            .zip(visits)
            .map(|(year, visits)| Some((u16::try_from(year).ok()?, visits)))
            .collect();
    }
    let mut of_years = Vec::with_capacity(predictor.usual.years.len());
    for at in 0..predictor.usual.years.len() {
        let predicted = profile.year(visits, &of_years);
        of_years.push(corrected(predicted, stream.rice(year_bits(predicted, at))?)?);
    }
    Some(predictor.usual.years.iter().copied().zip(of_years).collect())
}

/// Returns how many bits of what a year differs from its prediction are written as they are: growth of a few
/// hundredths is usual, and after two years it is known.
fn year_bits(predicted: u64, at: usize) -> u32 {
    if at < 2 { (predicted / 64).checked_ilog2().unwrap_or(0) } else { 0 }
}

fn put_weeks(out: &mut BitWriter, measure: &Measure, predictor: &Predictor, profile: &Profile) {
    let numbers = || measure.weeks.iter().map(|(year, week, _)| week_number(*year, *week));
    let visits: Vec<u64> = measure.weeks.iter().map(|week| week.2).collect();
    let are_usual = numbers().eq(predictor.usual.weeks.iter().copied());
    out.flag(are_usual);
    if are_usual {
        let all = visits.iter().sum();
        put_residual(out, all, profile.visits_of_weeks.of(measure.visits()));
        return put_parts(out, &visits, profile.weeks(all));
    }
    put_keys(out, numbers());
    let before = std::iter::once(measure.visits()).chain(visits.iter().copied());
    out.numbers(visits.iter().zip(before).map(|(this, before)| unsigned(residual(*this, before))));
}

fn read_weeks(
    stream: &mut BitReader<'_>,
    visits: u64,
    predictor: &Predictor,
    profile: &Profile,
) -> Option<Vec<(u16, u8, u64)>> {
    let (weeks, of_weeks) = if stream.flag()? {
        let mut parts = profile.weeks(corrected(profile.visits_of_weeks.of(visits), stream.gamma()?)?);
        stream.add_sparse(&mut parts)?;
        (predictor.usual.weeks.clone(), parts)
    } else {
        let weeks = read_keys(stream)?;
        let mut before = visits;
        let each = stream.numbers(weeks.len())?.into_iter().map(|number| {
            before = corrected(before, number)?;
            Some(before)
        });
        (weeks, each.collect::<Option<_>>()?)
    };
    let of_one = |(number, visits)| week_of(number).map(|(year, week)| (year, week, visits));
    weeks.into_iter().zip(of_weeks).map(of_one).collect()
}

/// Writes how many keys there are, the first one, and the gaps between them.
fn put_keys(out: &mut BitWriter, keys: impl ExactSizeIterator<Item = u32>) {
    out.rice(keys.len() as u64, LENGTH_BITS);
    let mut keys = keys.map(u64::from);
    let Some(mut before) = keys.next() else { return };
    out.rice(before, FIRST_BITS);
    out.numbers(keys.map(|key| key - std::mem::replace(&mut before, key) - 1));
}

fn read_keys(stream: &mut BitReader<'_>) -> Option<Vec<u32>> {
    let count = usize::try_from(stream.rice(LENGTH_BITS)?).ok()?;
    let Some(others) = count.checked_sub(1) else { return Some(Vec::new()) };
    let mut key = u32::try_from(stream.rice(FIRST_BITS)?).ok()?;
    let gaps = stream.numbers(others)?;
    let mut keys = vec![key];
    for gap in gaps {
        key = u32::try_from(gap).ok()?.checked_add(1)?.checked_add(key)?;
        keys.push(key);
    }
    Some(keys)
}

fn put_parts(out: &mut BitWriter, parts: &[u64], predicted: Vec<u64>) {
    let residuals: Vec<i64> =
        parts.iter().zip(predicted).map(|(part, other)| residual(*part, other)).collect();
    out.sparse(&residuals);
}

fn put_residual(out: &mut BitWriter, number: u64, predicted: u64) {
    out.gamma(unsigned(residual(number, predicted)));
}

fn residual(number: u64, predicted: u64) -> i64 {
    number.cast_signed() - predicted.cast_signed()
}

/// Undoes [`residual`]; `None` when the number is out of range.
fn corrected(predicted: u64, residual: u64) -> Option<u64> {
    predicted.checked_add_signed(signed(residual))
}

fn profile_bits(predictor: &Predictor) -> u32 {
    bits_for(predictor.profiles.len() as u32 - 1)
}

/// Returns how many bits a number takes that is at most that of the visits.
fn bits_for_visits(visits: u64) -> u32 {
    u64::BITS - visits.leading_zeros()
}
