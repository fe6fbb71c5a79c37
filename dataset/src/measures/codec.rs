//! The compact form of a record: small numbers as few bytes, and steps where numbers ascend.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::MeasureError;
use super::iso_week::week_after;
use super::limits::{DAYS, DWELL_BINS, HOURS};
use super::record::Measure;
use crate::geographies::GeographyIndex;
use crate::population::SegmentIndex;

/// Why stored bytes are no record.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum RecordError {
    #[error("it lies outside the file")]
    OutsideTheFile,
    #[error(transparent)]
    Form(#[from] postcard::Error),
    #[error("{0} bytes follow it")]
    Trailing(usize),
    /// A step leads beyond what there is.
    #[error("its numbers are out of range")]
    OutOfRange,
    #[error(transparent)]
    Untrue(#[from] MeasureError),
}

/// A record as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    modelled: bool,
    certified: bool,
    percentile: Option<u8>,
    activities: u64,
    unique_persons: u64,
    dwell_minutes: u64,
    local_visits: u64,
    hours: [[u64; HOURS]; DAYS],
    dwell: [u64; DWELL_BINS],
    /// Each ZIP code as the step from the one before.
    origins: Vec<(u32, u64)>,
    /// Each run of neighbouring cohorts: its first as the step from the one before it, and the persons of
    /// all.
    segments: Vec<(u16, Vec<u64>)>,
    /// Each year as the step from the one before.
    years: Vec<(u16, u64)>,
    weeks: Vec<Weeks>,
}

/// Weeks without a gap: the first one, and how each differs from the one before.
#[derive(Serialize, Deserialize)]
struct Weeks {
    year: u16,
    week: u8,
    changes: Vec<i64>,
}

/// Writes a record that [`Measure::check`] lets pass.
pub(super) fn encode(measure: &Measure) -> Vec<u8> {
    let (mut zip, mut year) = (0, 0);
    let stored = Stored {
        modelled: measure.modelled,
        certified: measure.certified,
        percentile: measure.percentile,
        activities: measure.activities,
        unique_persons: measure.unique_persons,
        dwell_minutes: measure.dwell_minutes,
        local_visits: measure.local_visits,
        hours: measure.hours,
        dwell: measure.dwell,
        origins: measure
            .origins
            .iter()
            .map(|(index, visits)| (step(&mut zip, index.raw()), *visits))
            .collect(),
        segments: runs_of_segments(&measure.segments),
        years: measure.years.iter().map(|(number, visits)| (step(&mut year, *number), *visits)).collect(),
        weeks: runs_of_weeks(&measure.weeks),
    };
    postcard::to_allocvec(&stored).expect("numbers are written into memory")
}

/// Reads whether a model derived any of a record, which stands at its beginning.
pub(super) fn is_modelled(record: &[u8]) -> Option<bool> {
    postcard::take_from_bytes(record).ok().map(|(modelled, _)| modelled)
}

/// Reads a record.
pub(super) fn decode(bytes: &[u8]) -> Result<Measure, RecordError> {
    let (stored, rest): (Stored, _) = postcard::take_from_bytes(bytes)?;
    if !rest.is_empty() {
        return Err(RecordError::Trailing(rest.len()));
    }
    let lists = stored.lists().ok_or(RecordError::OutOfRange)?;
    let measure = Measure {
        modelled: stored.modelled,
        certified: stored.certified,
        percentile: stored.percentile,
        activities: stored.activities,
        unique_persons: stored.unique_persons,
        dwell_minutes: stored.dwell_minutes,
        local_visits: stored.local_visits,
        hours: stored.hours,
        dwell: stored.dwell,
        ..lists
    };
    measure.check()?;
    Ok(measure)
}

impl Stored {
    /// Undoes the steps; `None` when one leads out of range.
    fn lists(&self) -> Option<Measure> {
        let (mut lists, mut zip, mut segment, mut year) = (Measure::default(), 0_u32, 0_u16, 0_u16);
        for (step, visits) in &self.origins {
            zip = zip.checked_add(*step)?;
            lists.origins.push((GeographyIndex::from_raw(zip), *visits));
        }
        for (step, persons) in &self.segments {
            segment = segment.checked_add(*step)?;
            for (at, persons) in persons.iter().enumerate() {
                segment = segment.checked_add(u16::from(at > 0))?;
                lists.segments.push((SegmentIndex::from_raw(segment), *persons));
            }
        }
        for (step, visits) in &self.years {
            year = year.checked_add(*step)?;
            lists.years.push((year, *visits));
        }
        for run in &self.weeks {
            run.append(&mut lists.weeks)?;
        }
        Some(lists)
    }
}

impl Weeks {
    fn append(&self, weeks: &mut Vec<(u16, u8, u64)>) -> Option<()> {
        let (mut at, mut visits) = ((self.year, self.week), 0_u64);
        for change in &self.changes {
            visits = visits.checked_add_signed(*change)?;
            weeks.push((at.0, at.1, visits));
            at = week_after(at)?;
        }
        Some(())
    }
}

/// Returns how far a number is from the one before, and remembers it in that one's place.
fn step<T: Copy + std::ops::Sub<Output = T>>(before: &mut T, number: T) -> T {
    number - std::mem::replace(before, number)
}

fn runs_of_segments(segments: &[(SegmentIndex, u64)]) -> Vec<(u16, Vec<u64>)> {
    let mut before = 0;
    let runs = segments.chunk_by(|a, b| b.0.raw() == a.0.raw() + 1);
    runs.map(|run| {
        let step = run[0].0.raw() - before;
        before = run[run.len() - 1].0.raw();
        (step, run.iter().map(|segment| segment.1).collect())
    })
    .collect()
}

fn runs_of_weeks(weeks: &[(u16, u8, u64)]) -> Vec<Weeks> {
    let runs = weeks.chunk_by(|a, b| week_after((a.0, a.1)) == Some((b.0, b.1)));
    runs.map(|run| {
        let mut before = 0;
        let changes = run.iter().map(|week| step(&mut before, week.2.cast_signed())).collect();
        Weeks { year: run[0].0, week: run[0].1, changes }
    })
    .collect()
}
