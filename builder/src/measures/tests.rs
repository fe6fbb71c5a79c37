//! Tests valid lines of place measures, and lines that contradict themselves.

use dataset::measures::Measure;
use dataset::{GeographyIndex, PlaceId, SegmentIndex};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Known, LineError, parse_line};

const SEGMENT: &str = "2e7c3251-447c-5c44-b25d-0abeaa54e876";

/// Returns the documentation's example, which must be valid.
fn example() -> Value {
    let text = include_str!("../../../docs/reference/data-format.md");
    let line = text.lines().find(|line| line.starts_with("{\"place_id\"")).expect("an example line");
    serde_json::from_str(line).unwrap()
}

fn parse(line: &str) -> Result<(PlaceId, Measure), LineError> {
    let known = Known {
        place: &|place| place.raw() == 100_000_000_017,
        registered: None,
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
fn contradictory_rows_are_rejected_with_the_reason() {
    let cases = [
        ("/place_id", json!(3), "place_id: 3 isn't a place in this release"),
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
            "visits_unique_persons: 701 is more than 700, the total number of visits",
        ),
        ("/visits_unique_persons", json!(0), "visits_unique_persons: must be at least 1, got 0"),
        ("/visits_avg_dwell", json!(10081), "visits_avg_dwell: 10081 is not a number from 0 to 10080"),
        ("/local_visits", json!(701), "local_visits: 701 is more than 700, the total number of visits"),
        ("/visits", json!([]), "visits: [] is not an object"),
        ("/visits/mo", json!([1, 2]), "visits.mo: [1,2] has 2 hours; a day has 24"),
        ("/visits/tu/3", json!(1.5), "visits.tu[3]: 1.5 is not an integer from 0 to 1000000000"),
        ("/visits/tu/3", json!(1_000_000_000), "visits: 1000000700 is more than 1000000000, the maximum"),
        (
            "/dwell/persons_240_plus",
            json!(3),
            "dwell: the bins sum to 701 visits, but the hours sum to 700; the sums must be equal",
        ),
        ("/dwell", json!({}), "dwell.persons_000_030min is missing"),
        ("/origins/0/visits", json!(581), "origins: 701 is more than 700, the total number of visits"),
        (
            "/origins/0/zip_code",
            json!("00000"),
            "origins[0].zip_code: \"00000\" isn't a ZIP code in this release",
        ),
        ("/origins/0/zip_code", json!(94103), "origins[0].zip_code: 94103 is not a string"),
        ("/origins/1/zip_code", json!("94103"), "origins[1].zip_code: \"94103\" occurs twice"),
        (
            "/origins/1",
            json!({"zip": "94102"}),
            "origins[1].zip is an unknown member; allowed members: zip_code, visits",
        ),
        ("/segments/0/persons", json!(351), "segments: 351 is more than 350, visits_unique_persons"),
        ("/segments/0/service_segment_id", json!("5"), "segments[0].service_segment_id: \"5\" is not a UUID"),
        (
            "/segments/0/service_segment_id",
            json!(Uuid::nil()),
            "segments[0].service_segment_id: \"00000000-0000-0000-0000-000000000000\" isn't a cohort \
             in this release",
        ),
        ("/history/year/0/id", json!("25"), "history.year[0].id: \"25\" is not a four-digit year"),
        ("/history/year/0/id", json!("1812"), "history.year: 1812 is not between 1990 and 2100"),
        (
            "/history/week/0/id",
            json!("2026-31"),
            "history.week[0].id: \"2026-31\" is not an ISO week such as 2026-W31",
        ),
        (
            "/history/week/0/id",
            json!("2025-W53"),
            "history.week: week 53 is not between 1 and 52, the number of ISO weeks in 2025",
        ),
        (
            "/history/week/0/id",
            json!("2026-W00"),
            "history.week: week 0 is not between 1 and 53, the number of ISO weeks in 2026",
        ),
        ("/history/week/1/id", json!("2026-W30"), "history.week[1].id: \"2026-W30\" occurs twice"),
        (
            "/history/week/1/visits",
            json!(null),
            "history.week[1].visits: null is not an integer from 0 to 1000000000",
        ),
        ("/history", json!({"year": []}), "history.week is missing"),
    ];
    for (at, value, reason) in cases {
        let mut row = example();
        *row.pointer_mut(at).expect(at) = value;
        assert_eq!(parse(&row.to_string()).unwrap_err().to_string(), reason);
    }
}

#[test]
fn row_without_visits_is_rejected() {
    let mut row = example();
    for day in row["visits"].as_object_mut().unwrap().values_mut() {
        *day = vec![0; 24].into();
    }
    assert_eq!(
        parse(&row.to_string()).unwrap_err().to_string(),
        "visits: must be at least 1 per week; omit places without visits"
    );
}

#[test]
fn unknown_missing_and_duplicate_members_are_rejected() {
    let mut row = example();
    row["visitors"] = json!(1);
    assert!(
        parse(&row.to_string())
            .unwrap_err()
            .to_string()
            .starts_with("visitors is an unknown member; allowed members: place_id, ")
    );
    let mut row = example();
    row.as_object_mut().unwrap().remove("origins");
    assert_eq!(parse(&row.to_string()).unwrap_err().to_string(), "origins is missing");
    let double = example().to_string().replacen('{', "{\"activities\":1,", 1);
    let error = parse(&double).unwrap_err().to_string();
    assert!(error.starts_with("invalid JSON: member \"activities\" occurs twice"), "{error}");
}

#[test]
fn values_other_than_objects_are_rejected() {
    for (line, reason) in [
        ("", "invalid JSON: EOF while parsing a value, at byte 0"),
        ("[1]", "[1] is not an object"),
        ("{\"place_id\":", "invalid JSON: EOF while parsing a value, at byte 12"),
        ("{} {}", "invalid JSON: trailing characters, at byte 4"),
    ] {
        assert_eq!(parse(line).unwrap_err().to_string(), reason);
    }
}
