//! Reads a place's measures from a line of JSON. See `docs/reference/data-format.md`, "Place measures".

use std::collections::BTreeMap;

use dataset::measures::{
    DAY_NAMES, DAYS, DWELL_BINS, DWELL_NAMES, HOURS, MINUTES_OF_WEEK, MOST, Measure, MeasureError,
    WEEKS_OF_YEAR, check_week, check_year,
};
use dataset::{GeographyIndex, PlaceId, SegmentIndex};
use thiserror::Error;
use uuid::Uuid;

use crate::rows::{Field, JsonError, Members, RowFault, parse_json, without_marks};

/// The member that identifies the place by its ID.
const PLACE_ID: &str = "place_id";

/// The member that identifies the place by its register number.
const REGISTER_ID: &str = "register_id";

/// The members in a line, except for the place's ID or register number.
const MEMBERS: [&str; 11] = [
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

/// The maximum number of visits in a year.
const MOST_OF_YEAR: u64 = WEEKS_OF_YEAR as u64 * MOST;

/// The error for a rejected line.
#[derive(Debug, Error)]
pub(crate) enum LineError {
    #[error(transparent)]
    Line(#[from] RowFault),
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error(transparent)]
    Untrue(#[from] MeasureError),
}

/// A function that finds a place by its register number.
pub(crate) type FindPlace<'a> = &'a dyn Fn(&str) -> Option<PlaceId>;

/// Lookups of the places, ZIP codes, and cohorts that a line can refer to.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) place: &'a dyn Fn(PlaceId) -> bool,
    /// The lookup by register number in the source's namespace. `None` if the source has no namespace.
    pub(crate) registered: Option<FindPlace<'a>>,
    pub(crate) zip: &'a dyn Fn(&str) -> Option<GeographyIndex>,
    pub(crate) segment: &'a dyn Fn(&Uuid) -> Option<SegmentIndex>,
}

/// Parses a line. Returns the place's ID and measures.
pub(crate) fn parse_line(line: &str, known: &Known<'_>) -> Result<(PlaceId, Measure), LineError> {
    let mut value = parse_json(line)?;
    without_marks(&mut value);
    let has_own = known.registered.is_some() && value.get(REGISTER_ID).is_some();
    let identity = if has_own { REGISTER_ID } else { PLACE_ID };
    let members: Vec<&str> = [identity].into_iter().chain(MEMBERS).collect();
    let row = Field::whole(&value).members(&members)?;
    let place = place(&row, identity, known)?;
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

fn place(row: &Members<'_>, identity: &str, known: &Known<'_>) -> Result<PlaceId, LineError> {
    let field = row.get(identity);
    if let Some(registered) = known.registered.filter(|_| identity == REGISTER_ID) {
        let place = registered(field.text()?).filter(|place| (known.place)(*place));
        return place.ok_or_else(|| field.refuse("doesn't identify a place in this release").into());
    }
    let place = PlaceId::from_raw(field.integer(u64::MAX)?);
    if (known.place)(place) { Ok(place) } else { Err(field.refuse("isn't a place in this release").into()) }
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
        Ok((known.zip)(code).ok_or_else(|| field.refuse("isn't a ZIP code in this release"))?)
    };
    let entries = entries(field, ("zip_code", zip), ("visits", MOST))?;
    Ok(entries.into_iter().collect())
}

fn segments(field: &Field<'_>, known: &Known<'_>) -> Result<Vec<(SegmentIndex, u64)>, LineError> {
    let segment = |field: &Field<'_>| {
        let id = Uuid::try_parse(field.text()?).map_err(|_| field.refuse("is not a UUID"))?;
        Ok((known.segment)(&id).ok_or_else(|| field.refuse("isn't a cohort in this release"))?)
    };
    let entries = entries(field, ("service_segment_id", segment), ("persons", MOST))?;
    Ok(entries.into_iter().collect())
}

/// Reads the visits by year and by week. All other members of the result are empty.
fn history(field: &Field<'_>) -> Result<Measure, LineError> {
    let members = field.members(&["year", "week"])?;
    let years = entries(&members.get("year"), ("id", year), ("visits", MOST_OF_YEAR))?;
    let weeks = entries(&members.get("week"), ("id", week), ("visits", MOST))?;
    let weeks = weeks.into_iter().map(|((year, week), visits)| (year, week, visits));
    Ok(Measure { years: years.into_iter().collect(), weeks: weeks.collect(), ..Measure::default() })
}

fn year(field: &Field<'_>) -> Result<u16, LineError> {
    let text = field.text()?;
    let year = digits::<4>(text).ok_or_else(|| field.refuse("is not a four-digit year"))?;
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

/// Parses a number with exactly `COUNT` digits.
fn digits<const COUNT: usize>(text: &str) -> Option<u16> {
    let right = text.len() == COUNT && text.bytes().all(|byte| byte.is_ascii_digit());
    if right { text.parse().ok() } else { None }
}

/// Reads a list of objects that contain a key and a count. Rejects duplicate keys.
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
