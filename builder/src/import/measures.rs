//! Measured records, one JSON object per line: see `docs/data-format.md`, "Place measures".

use std::collections::BTreeMap;
use std::path::PathBuf;

use dataset::measures::{
    DAY_NAMES, DAYS, DWELL_BINS, DWELL_NAMES, HOURS, MINUTES_OF_WEEK, MOST, Measure, MeasureError,
    WEEKS_OF_YEAR, check_week, check_year,
};
use dataset::{GeographyIndex, PlaceId, Progress, SegmentIndex};
use thiserror::Error;
use uuid::Uuid;

use super::error::ImportError;
use super::file_row::Files;
use super::notice::Notice;
use super::rejects::Rejects;
use crate::rows::{
    Field, FileError, Input, JsonError, Layout, ROW_BYTES, RowFault, RowProblem, parse_json, without_marks,
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
pub(super) struct Known<'a> {
    /// Its places.
    pub(super) place: &'a dyn Fn(PlaceId) -> bool,
    /// Its ZIP codes.
    pub(super) zip: &'a dyn Fn(&str) -> Option<GeographyIndex>,
    /// Its cohorts.
    pub(super) segment: &'a dyn Fn(&Uuid) -> Option<SegmentIndex>,
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
pub(super) fn read(
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
        while let Some(line) = input.line(ROW_BYTES).map_err(named)? {
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
mod tests {
    use dataset::measures::Measure;
    use dataset::{GeographyIndex, PlaceId, SegmentIndex};
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::{Known, LineError, parse_line};

    const SEGMENT: &str = "2e7c3251-447c-5c44-b25d-0abeaa54e876";

    /// The example of the documentation: the format that operators are told is the one that is read.
    fn example() -> Value {
        let text = include_str!("../../../docs/data-format.md");
        let line = text.lines().find(|line| line.starts_with("{\"place_id\"")).expect("an example line");
        serde_json::from_str(line).unwrap()
    }

    fn parse(line: &str) -> Result<(PlaceId, Measure), LineError> {
        let known = Known {
            place: &|place| place.raw() == 100_000_000_017,
            zip: &|code| match code {
                "94103" => Some(GeographyIndex::from_raw(39_000)),
                "94102" => Some(GeographyIndex::from_raw(38_999)),
                _ => None,
            },
            segment: &|id| (*id == Uuid::try_parse(SEGMENT).unwrap()).then_some(SegmentIndex::from_raw(5)),
        };
        parse_line(line, &known)
    }

    #[test]
    fn the_documented_example_is_read() {
        let (place, measure) = parse(&example().to_string()).unwrap();
        assert_eq!(place.raw(), 100_000_000_017);
        assert_eq!((measure.visits(), measure.unique_persons, measure.activities), (700, 350, 9000));
        assert_eq!((measure.dwell_minutes, measure.local_visits), (17_150, 480));
        assert_eq!((measure.percentile, measure.certified, measure.modelled), (Some(64), true, false));
        assert_eq!((measure.hours[0][8], measure.dwell), (90, [560, 100, 30, 8, 2]));
        let origins: Vec<_> = measure.origins.iter().map(|(zip, visits)| (zip.raw(), *visits)).collect();
        assert_eq!(origins, [(38_999, 120), (39_000, 410)]);
        assert_eq!(measure.segments, [(SegmentIndex::from_raw(5), 140)]);
        assert_eq!(
            (measure.years, measure.weeks),
            (vec![(2025, 36_800)], vec![(2026, 30, 690), (2026, 31, 712)])
        );
    }

    #[test]
    fn a_row_that_cannot_be_true_is_refused_with_its_reason() {
        let cases = [
            ("/place_id", json!(3), "place_id: 3 is no place of this release"),
            (
                "/place_id",
                json!("100000000017"),
                "place_id: \"100000000017\" is not an integer from 0 to 18446744073709551615",
            ),
            ("/certified", json!("yes"), "certified: \"yes\" is not true or false"),
            ("/percentile", json!(101), "percentile: 101 is not an integer from 0 to 100"),
            ("/percentile", json!(50.5), "percentile: 50.5 is not an integer from 0 to 100"),
            ("/activities", json!(-1), "activities: -1 is not an integer from 0 to 1000000000"),
            (
                "/visits_unique_persons",
                json!(701),
                "visits_unique_persons: 701 is more than 700, the sum of visits",
            ),
            (
                "/visits_unique_persons",
                json!(0),
                "visits_unique_persons: 0; visits are made by at least one person",
            ),
            ("/visits_avg_dwell", json!(10081), "visits_avg_dwell: 10081 is not a number from 0 to 10080"),
            ("/local_visits", json!(701), "local_visits: 701 is more than 700, the sum of visits"),
            ("/visits", json!([]), "visits: [] is not an object"),
            ("/visits/mo", json!([1, 2]), "visits.mo: [1,2] has 2 hours; a day has 24"),
            ("/visits/tu/3", json!(1.5), "visits.tu[3]: 1.5 is not an integer from 0 to 1000000000"),
            (
                "/visits/tu/3",
                json!(1_000_000_000),
                "visits: 1000000700 is more than 1000000000, the most that is taken",
            ),
            (
                "/dwell/persons_240_plus",
                json!(3),
                "dwell: the bins hold 701 visits and the hours 700; they must agree",
            ),
            ("/dwell", json!({}), "dwell.persons_000_030min: is missing"),
            ("/origins/0/visits", json!(581), "origins: 701 is more than 700, the sum of visits"),
            (
                "/origins/0/zip_code",
                json!("00000"),
                "origins[0].zip_code: \"00000\" is no ZIP code of this release",
            ),
            ("/origins/0/zip_code", json!(94103), "origins[0].zip_code: 94103 is not a text"),
            ("/origins/1/zip_code", json!("94103"), "origins[1].zip_code: \"94103\" occurs twice"),
            (
                "/origins/1",
                json!({"zip": "94102"}),
                "origins[1].zip: is unknown; the members here are zip_code, visits",
            ),
            ("/segments/0/persons", json!(351), "segments: 351 is more than 350, visits_unique_persons"),
            (
                "/segments/0/service_segment_id",
                json!("5"),
                "segments[0].service_segment_id: \"5\" is not a UUID",
            ),
            (
                "/segments/0/service_segment_id",
                json!(Uuid::nil()),
                "segments[0].service_segment_id: \"00000000-0000-0000-0000-000000000000\" is no cohort \
                 of this release",
            ),
            ("/history/year/0/id", json!("25"), "history.year[0].id: \"25\" is not a year of four digits"),
            ("/history/year/0/id", json!("1812"), "history.year: 1812 is not from 1990 to 2100"),
            (
                "/history/week/0/id",
                json!("2026-31"),
                "history.week[0].id: \"2026-31\" is not an ISO week such as 2026-W31",
            ),
            (
                "/history/week/0/id",
                json!("2025-W53"),
                "history.week: week 53 is not from 1 to 52, the ISO weeks of 2025",
            ),
            (
                "/history/week/0/id",
                json!("2026-W00"),
                "history.week: week 0 is not from 1 to 53, the ISO weeks of 2026",
            ),
            ("/history/week/1/id", json!("2026-W30"), "history.week[1].id: \"2026-W30\" occurs twice"),
            (
                "/history/week/1/visits",
                json!(null),
                "history.week[1].visits: null is not an integer from 0 to 1000000000",
            ),
            ("/history", json!({"year": []}), "history.week: is missing"),
        ];
        for (at, value, reason) in cases {
            let mut row = example();
            *row.pointer_mut(at).expect(at) = value;
            assert_eq!(parse(&row.to_string()).unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn a_row_without_visits_is_refused() {
        let mut row = example();
        for day in row["visits"].as_object_mut().unwrap().values_mut() {
            *day = vec![0; 24].into();
        }
        assert_eq!(
            parse(&row.to_string()).unwrap_err().to_string(),
            "visits: none in the whole week; leave out a place that nobody visits"
        );
    }

    #[test]
    fn members_are_neither_unknown_nor_missing_nor_double() {
        let mut row = example();
        row["visitors"] = json!(1);
        assert!(
            parse(&row.to_string())
                .unwrap_err()
                .to_string()
                .starts_with("visitors: is unknown; the members here are place_id, ")
        );
        let mut row = example();
        row.as_object_mut().unwrap().remove("origins");
        assert_eq!(parse(&row.to_string()).unwrap_err().to_string(), "origins: is missing");
        let double = example().to_string().replacen('{', "{\"activities\":1,", 1);
        let error = parse(&double).unwrap_err().to_string();
        assert!(error.starts_with("invalid JSON: the member activities occurs twice"), "{error}");
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for (line, reason) in [
            ("", "invalid JSON: EOF while parsing a value, at byte 0"),
            ("[1]", "[1] is not an object"),
            ("{\"place_id\":", "invalid JSON: EOF while parsing a value, at byte 12"),
            ("{} {}", "invalid JSON: trailing characters, at byte 4"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), reason);
        }
    }
}
