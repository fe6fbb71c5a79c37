//! Measured records, one JSON object per line: see `docs/reference/data-format.md`, "Place measures".

use std::collections::BTreeMap;
use std::path::PathBuf;

use dataset::measures::{
    DAY_NAMES, DAYS, DWELL_BINS, DWELL_NAMES, HOURS, MINUTES_OF_WEEK, MOST, Measure, MeasureError,
    WEEKS_OF_YEAR, check_week, check_year,
};
use dataset::{GeographyIndex, PlaceId, Progress, SegmentIndex};
use thiserror::Error;
use uuid::Uuid;

use crate::build::ImportError;
use crate::build::Notice;
use crate::build::Rejects;
use crate::build::file_row::Files;
use crate::rows::{
    Field, FileError, Input, JsonError, Layout, RowFault, RowProblem, parse_json, without_marks,
};

const MEMBERS: [&str; 12] = [
    "place_id",
    "certified",
    "percentile",
    "activities",
    "visits",
    "visits_unique_persons",
    "visits_avg_dwell",
    "local_visits",
    "dwell",
    "origins",
    "segments",
    "history",
];

/// The most visits that a year may have.
const MOST_OF_YEAR: u64 = WEEKS_OF_YEAR as u64 * MOST;

/// Why a line is not taken.
#[derive(Debug, Error)]
enum LineError {
    #[error(transparent)]
    Line(#[from] RowFault),
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error(transparent)]
    Untrue(#[from] MeasureError),
    #[error("place_id: {row} has a record of place {place} already")]
    Twice { row: String, place: PlaceId },
}

/// What a release knows.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Its places.
    pub(crate) place: &'a dyn Fn(PlaceId) -> bool,
    /// Its ZIP codes.
    pub(crate) zip: &'a dyn Fn(&str) -> Option<GeographyIndex>,
    /// Its cohorts.
    pub(crate) segment: &'a dyn Fn(&Uuid) -> Option<SegmentIndex>,
}

/// How many lines became what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuresSummary {
    /// All lines that are not blank: the accepted ones and the rejected ones.
    pub rows: u64,
    /// Lines that became records.
    pub accepted: u64,
    /// Lines that were reported.
    pub rejected: u64,
    /// What is worth knowing besides.
    pub notices: Vec<Notice>,
}

/// Reads the records of files. Nothing is written but the rejected lines.
pub(crate) fn read(
    files: &[PathBuf],
    known: &Known<'_>,
    rejects: &mut Rejects,
    progress: Progress<'_>,
) -> Result<(BTreeMap<PlaceId, Measure>, MeasuresSummary), ImportError> {
    rejects.check(files)?;
    let (mut measures, mut lines) = (BTreeMap::new(), BTreeMap::new());
    let (mut summary, mut names) = (MeasuresSummary::default(), Files::default());
    for file in files {
        let named = |fault| FileError { file: file.display().to_string(), fault };
        rejects.begin(file);
        let mut input = Input::open(file, progress).map_err(named)?;
        names.begin(file);
        while let Some(line) = input.line().map_err(named)? {
            if line.is_blank() {
                continue;
            }
            summary.rows += 1;
            let taken = line.text().map_err(LineError::from).and_then(|text| parse_line(text, known));
            let row = names.row(line.number);
            let taken = taken.and_then(|(place, measure)| match lines.insert(place, row) {
                Some(other) => Err(LineError::Twice { row: names.name(other), place }),
                None => Ok((place, measure)),
            });
            match taken {
                Ok((place, measure)) => drop(measures.insert(place, measure)),
                Err(error) => {
                    let (line, raw) = (line.number, line.bytes);
                    rejects.add(&Layout::JsonLines, &RowProblem { line, reason: error.to_string(), raw })?;
                }
            }
        }
        let lines = input.windows_1252();
        summary.notices.extend(lines.map(|lines| Notice::Windows1252 { file: file.clone(), lines }));
    }
    summary.accepted = measures.len() as u64;
    summary.rejected = summary.rows - summary.accepted;
    Ok((measures, summary))
}

/// Reads a line: whose record it is, and the record.
fn parse_line(line: &str, known: &Known<'_>) -> Result<(PlaceId, Measure), LineError> {
    let mut value = parse_json(line)?;
    without_marks(&mut value);
    let row = Field::whole(&value).members(&MEMBERS)?;
    let place = place(&row.get("place_id"), known)?;
    let hours = hours(&row.get("visits"))?;
    let visits: u64 = hours.as_flattened().iter().sum();
    let avg_dwell = row.get("visits_avg_dwell").number(MINUTES_OF_WEEK as f64)?;
    let measure = Measure {
        modelled: false,
        certified: row.get("certified").boolean()?,
        percentile: Some(percentile(&row.get("percentile"))?),
        activities: row.get("activities").integer(MOST)?,
        unique_persons: row.get("visits_unique_persons").integer(MOST)?,
        dwell_minutes: (avg_dwell * visits as f64).round() as u64,
        local_visits: row.get("local_visits").integer(MOST)?,
        hours,
        dwell: dwell(&row.get("dwell"))?,
        origins: origins(&row.get("origins"), known)?,
        segments: segments(&row.get("segments"), known)?,
        ..history(&row.get("history"))?
    };
    measure.check()?;
    Ok((place, measure))
}

fn place(field: &Field<'_>, known: &Known<'_>) -> Result<PlaceId, LineError> {
    let place = PlaceId::from_raw(field.integer(u64::MAX)?);
    if (known.place)(place) { Ok(place) } else { Err(field.refuse("is no place of this release").into()) }
}

fn percentile(field: &Field<'_>) -> Result<u8, LineError> {
    Ok(u8::try_from(field.integer(100)?).expect("it is at most 100"))
}

fn hours(field: &Field<'_>) -> Result<[[u64; HOURS]; DAYS], LineError> {
    let days = field.members(&DAY_NAMES)?;
    let mut hours = [[0; HOURS]; DAYS];
    for (name, day) in DAY_NAMES.iter().zip(&mut hours) {
        let field = days.get(name);
        let items = field.items()?;
        if items.len() != HOURS {
            return Err(field.refuse(&format!("has {} hours; a day has {HOURS}", items.len())).into());
        }
        for (item, hour) in items.zip(day) {
            *hour = item.integer(MOST)?;
        }
    }
    Ok(hours)
}

fn dwell(field: &Field<'_>) -> Result<[u64; DWELL_BINS], LineError> {
    let members = field.members(&DWELL_NAMES)?;
    let mut bins = [0; DWELL_BINS];
    for (name, bin) in DWELL_NAMES.iter().zip(&mut bins) {
        *bin = members.get(name).integer(MOST)?;
    }
    Ok(bins)
}

fn origins(field: &Field<'_>, known: &Known<'_>) -> Result<Vec<(GeographyIndex, u64)>, LineError> {
    let zip = |field: &Field<'_>| {
        let code = field.text()?;
        Ok((known.zip)(code).ok_or_else(|| field.refuse("is no ZIP code of this release"))?)
    };
    let entries = entries(field, ("zip_code", zip), ("visits", MOST))?;
    Ok(entries.into_iter().collect())
}

fn segments(field: &Field<'_>, known: &Known<'_>) -> Result<Vec<(SegmentIndex, u64)>, LineError> {
    let segment = |field: &Field<'_>| {
        let id = Uuid::try_parse(field.text()?).map_err(|_| field.refuse("is not a UUID"))?;
        Ok((known.segment)(&id).ok_or_else(|| field.refuse("is no cohort of this release"))?)
    };
    let entries = entries(field, ("service_segment_id", segment), ("persons", MOST))?;
    Ok(entries.into_iter().collect())
}

/// Reads the years and the weeks; nothing else of the record.
fn history(field: &Field<'_>) -> Result<Measure, LineError> {
    let members = field.members(&["year", "week"])?;
    let years = entries(&members.get("year"), ("id", year), ("visits", MOST_OF_YEAR))?;
    let weeks = entries(&members.get("week"), ("id", week), ("visits", MOST))?;
    let weeks = weeks.into_iter().map(|((year, week), visits)| (year, week, visits));
    Ok(Measure { years: years.into_iter().collect(), weeks: weeks.collect(), ..Measure::default() })
}

fn year(field: &Field<'_>) -> Result<u16, LineError> {
    let text = field.text()?;
    let year = digits::<4>(text).ok_or_else(|| field.refuse("is not a year of four digits"))?;
    check_year("history.year", year)?;
    Ok(year)
}

fn week(field: &Field<'_>) -> Result<(u16, u8), LineError> {
    let text = field.text()?;
    let parsed =
        text.split_once("-W").and_then(|(year, week)| Some((digits::<4>(year)?, digits::<2>(week)?)));
    let (year, week) = parsed.ok_or_else(|| field.refuse("is not an ISO week such as 2026-W31"))?;
    let week = u8::try_from(week).expect("two digits");
    check_week("history.week", year, week)?;
    Ok((year, week))
}

/// Reads so many digits, and nothing else.
fn digits<const COUNT: usize>(text: &str) -> Option<u16> {
    let right = text.len() == COUNT && text.bytes().all(|byte| byte.is_ascii_digit());
    if right { text.parse().ok() } else { None }
}

/// Reads a list of keys, none of them twice, each with its count.
fn entries<K: Ord>(
    field: &Field<'_>,
    (key_name, key): (&str, impl Fn(&Field<'_>) -> Result<K, LineError>),
    (count_name, most): (&str, u64),
) -> Result<BTreeMap<K, u64>, LineError> {
    let mut entries = BTreeMap::new();
    for item in field.items()? {
        let members = item.members(&[key_name, count_name])?;
        let (key_field, count) = (members.get(key_name), members.get(count_name).integer(most)?);
        if entries.insert(key(&key_field)?, count).is_some() {
            return Err(key_field.refuse("occurs twice").into());
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests;
