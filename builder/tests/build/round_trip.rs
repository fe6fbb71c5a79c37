//! Tests that correcting a file's rejected rows produces the same release as a file without errors.

use std::fs;
use std::path::{Path, PathBuf};

use builder::displays::TARGETS as SPOTS;
use dataset::tiles::{self, Layer, LayerPoints, LayerSource};
use dataset::{Measures, Places};
use serde_json::{Value, json};

use crate::{DISPLAYS, Outcome, PLACES, Project};

/// A row, the corrected row, and part of the rejection reason, or `None` if the original row is accepted.
type Case = (Value, Value, Option<&'static str>);

/// Returns a row with some of its members replaced.
fn with(row: &Value, changes: &Value) -> Value {
    let mut row = row.clone();
    for (name, value) in changes.as_object().expect("members") {
        row[name] = value.clone();
    }
    row
}

/// An unknown column with more commas in its name than the header has other delimiters.
const SIZE: &str = "Size (h, w, d, x, y), of faces 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14";

fn numbered(row: &Value, cases: &[(Value, Value, Option<&'static str>)]) -> Vec<Case> {
    let id = |at: usize| json!({"place_id": at + 10, "plant_spot_id": format!("P-{at}"), "place_name": format!("Kettle {at}"), SIZE: ""});
    let case = |(at, (dirty, clean, reason)): (usize, &Case)| {
        let row = with(row, &id(at));
        (with(&row, dirty), with(&row, clean), *reason)
    };
    cases.iter().enumerate().map(case).collect()
}

/// Rows with invalid coordinates and addresses, for places and displays.
fn addresses() -> Vec<Case> {
    let fixed = json!({});
    vec![
        (json!({}), fixed.clone(), None),
        (
            json!({"latitude": -87.6231, "longitude": 41.8858}),
            fixed.clone(),
            Some("latitude and longitude look swapped"),
        ),
        (json!({"longitude": 87.6231}), fixed.clone(), Some("longitude lacks its minus sign")),
        (json!({"latitude": -41.8858}), fixed.clone(), Some("latitude has an extra minus sign")),
        (
            json!({"latitude": 39.9, "longitude": 116.4}),
            fixed.clone(),
            Some("the position is more than 500 km from every ZIP code"),
        ),
        (
            json!({"latitude": 34.05, "longitude": -118.24}),
            fixed.clone(),
            Some("the position is in CA, 2805 km from zip_code 60601 in IL"),
        ),
        (
            json!({"latitude": -118.24, "longitude": 34.05, "state": "CA", "zip_code": "90012"}),
            json!({"latitude": 34.05, "longitude": -118.24, "state": "CA", "zip_code": "90012"}),
            Some("latitude and longitude look swapped"),
        ),
        (
            json!({"latitude": -33.8688, "longitude": 151.2093, "zip_code": "2109", "state": "", "country": "AU"}),
            json!({"latitude": -33.8688, "longitude": 151.2093, "zip_code": "2109", "state": "", "country": "AU"}),
            None,
        ),
        (
            json!({"latitude": 52.52, "longitude": 13.405, "zip_code": "10115", "state": "", "country": ""}),
            json!({"latitude": 52.52, "longitude": 13.405, "zip_code": "10115", "state": "", "country": "DE"}),
            Some("name the country (or set outside_us = true in the source's entry)"),
        ),
        (json!({"state": "Illinois"}), json!({"state": "IL"}), None),
        (
            json!({"latitude": -87.6231, "longitude": 41.8858, "state": "Illinois", "zip_code": ""}),
            json!({"zip_code": ""}),
            Some("latitude and longitude look swapped"),
        ),
        (json!({"place_name": "Two\nlines"}), json!({"place_name": "Two lines"}), None),
    ]
}

fn chicago() -> Value {
    json!({"latitude": 41.8858, "longitude": -87.6231, "state": "IL", "zip_code": "60601", "country": ""})
}

fn places() -> Vec<Case> {
    let row = with(&chicago(), &json!({"place_type": "Coffee Shop"}));
    let more = [
        (json!({"place_name": ""}), json!({}), Some("place_name is missing")),
        (json!({"zip_code": "606"}), json!({}), Some("zip_code \"606\" is not 5 digits or ZIP+4")),
        (json!({"place_id": 10}), json!({}), Some("also has place_id 10")),
    ];
    numbered(&row, &[addresses(), more.to_vec()].concat())
}

fn spots() -> Vec<Case> {
    let row = with(&chicago(), &json!({"size": "14x48", "faces": "", "operator": "Example Outdoor"}));
    let more = [
        (
            json!({"size": "1920x1080"}),
            json!({"size": "1920x1080 px"}),
            Some("add the unit, or px for a screen"),
        ),
        (json!({"size": "1920x1080 px"}), json!({"size": ""}), None),
        (
            json!({"faces": "0"}),
            json!({"faces": "2"}),
            Some("faces \"0\" is not a whole number from 1 to 100"),
        ),
        (json!({"faces": 2}), json!({"faces": "2"}), None),
        (json!({"plant_spot_id": ""}), json!({}), Some("spot_id and plant_spot_id are missing")),
        (
            json!({"plant_spot_id": "P-0"}),
            json!({}),
            Some("has the same plant_spot_id, position, direction, and description"),
        ),
    ];
    numbered(&row, &[addresses(), more.to_vec()].concat())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Csv(char),
    JsonLines,
    GeoJson,
}

impl Format {
    const ALL: [Self; 5] = [Self::Csv(','), Self::Csv(';'), Self::Csv('\t'), Self::JsonLines, Self::GeoJson];

    fn extension(self) -> &'static str {
        match self {
            Self::Csv(_) => "csv",
            Self::JsonLines => "jsonl",
            Self::GeoJson => "geojson",
        }
    }

    /// Formats a row, with its marks if it has any.
    fn row(self, row: &Value) -> String {
        let members = row.as_object().expect("members");
        match self {
            Self::Csv(delimiter) => {
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let cells = members.values().map(|value| format!("\"{}\"", text(value).replace('"', "\"\"")));
                cells.collect::<Vec<String>>().join(&delimiter.to_string())
            }
            Self::JsonLines => row.to_string(),
            Self::GeoJson => {
                let mut properties = members.clone();
                let [longitude, latitude] =
                    ["longitude", "latitude"].map(|name| properties.remove(name).expect("a coordinate"));
                let geometry = json!({"type": "Point", "coordinates": [longitude, latitude]});
                json!({"type": "Feature", "geometry": geometry, "properties": properties}).to_string()
            }
        }
    }

    fn file(self, rows: &[&Value]) -> String {
        let rows: Vec<String> = rows.iter().map(|row| self.row(row)).collect();
        rows.join(if self == Self::GeoJson { ",\n" } else { "\n" })
    }

    /// Writes rows to a file in this format.
    fn write(self, path: &Path, rows: &[&Value]) {
        let text = self.file(rows);
        let text = match self {
            Self::Csv(delimiter) => {
                let names = rows[0].as_object().expect("members").keys();
                let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
                format!("{}\n{text}\n", names.join(&delimiter.to_string()))
            }
            Self::JsonLines => format!("{text}\n"),
            Self::GeoJson => format!("{{\"type\":\"FeatureCollection\",\"features\":[{text}]}}"),
        };
        fs::write(path, text).expect("a file");
    }

    /// Returns the number of the line on which a row starts or, in GeoJSON, the number of the feature.
    fn line(self, rows: &[&Value], at: usize) -> u64 {
        match self {
            Self::Csv(_) => 2 + self.file(&rows[..at]).lines().count() as u64,
            Self::JsonLines | Self::GeoJson => 1 + at as u64,
        }
    }

    /// Returns the lines on which marked rows start in a rejects file, each with the line number in its mark.
    fn rejected(self, text: &str) -> Vec<(u64, String)> {
        let line_of = |line: &str| {
            let number = match self {
                Self::Csv(delimiter) => line.split_once(delimiter)?.0,
                Self::JsonLines | Self::GeoJson => line.split_once("\"_line\":")?.1.split_once([',', '}'])?.0,
            };
            Some((number.parse().ok()?, line.to_owned()))
        };
        text.lines().filter_map(line_of).collect()
    }
}

/// Builds a release from files of one source.
fn build(project: &Project, kind: &str, files: &[PathBuf]) -> Outcome {
    let mut entry = if kind == "places" { PLACES } else { DISPLAYS }.to_owned();
    // Use a map. Without one, display rows in JSON lines files are complete records.
    if kind == "spots" && files[0].extension().is_some_and(|extension| extension == "jsonl") {
        let header = fs::read_to_string(&files[0]).expect("a file");
        let targets = SPOTS.iter().map(|target| target.name);
        let there = targets.filter(|target| header.contains(&format!("\"{target}\"")));
        let columns: String = there.map(|target| format!("{target} = \"{target}\"\n")).collect();
        fs::write(project.path("map.toml"), format!("[columns]\n{columns}")).expect("a writable folder");
        entry.push_str("map = \"map.toml\"\n");
    }
    project.clone().list(&format!("{entry}files = {files:?}\n")).build()
}

#[test]
fn tiles_show_the_places_of_a_release() {
    let cases = places();
    let clean: Vec<&Value> = cases.iter().map(|(_, clean, _)| clean).collect();
    let project = Project::new();
    let file = project.path("clean.csv");
    Format::Csv(',').write(&file, &clean);
    let outcome = build(&project, "places", &[file]);
    let release = outcome.release();
    let (places, measures) = (Places::open(release), Measures::open(release));
    let (places, measures) = (places.expect("places"), measures.expect("measures"));
    assert_eq!(tiles::check(release, LayerSource::Places(&places, &measures)), Ok(()));
    let points = LayerPoints::open(release, Layer::Places).expect("a part");
    assert!(points.len() > 5 && points.len() == places.len(), "{}", points.len());
}

#[test]
fn rejects_that_are_corrected_make_the_release_of_a_clean_file() {
    for (kind, cases) in [("places", places()), ("spots", spots())] {
        let dirty: Vec<&Value> = cases.iter().map(|(dirty, _, _)| dirty).collect();
        let clean: Vec<&Value> = cases.iter().map(|(_, clean, _)| clean).collect();
        for format in Format::ALL {
            let project = Project::new();
            let file = |name: &str| project.path(&format!("{name}.{}", format.extension()));
            format.write(&file("dirty"), &dirty);
            format.write(&file("clean"), &clean);
            let of_dirty = build(&project, kind, &[file("dirty")]);
            let rejects = &of_dirty.files[0];
            let mut text = fs::read_to_string(rejects).expect("rejected rows");
            let rejected = format.rejected(&text);
            let expected: Vec<(usize, &str)> =
                cases.iter().enumerate().filter_map(|(at, (_, _, reason))| Some((at, (*reason)?))).collect();
            assert_eq!(rejected.len(), expected.len(), "{format:?}: {text}");
            for ((line, row), (at, reason)) in rejected.iter().zip(expected) {
                assert_eq!(*line, format.line(&dirty, at), "{format:?}: {row}");
                let reason = match format {
                    Format::Csv(_) => reason.replace('"', "\"\""),
                    Format::JsonLines | Format::GeoJson => reason.replace('"', "\\\""),
                };
                assert!(row.contains(&reason), "{format:?}: {row}\nbut expected\n{reason}");
                // The row is corrected, but the marks aren't removed.
                let marks = json!({"_line": line, "_reason": "corrected"});
                let corrected = with(&with(&json!({}), &marks), clean[at]);
                let corrected = match format {
                    Format::Csv(delimiter) => {
                        let own = format.row(clean[at]);
                        format!("{line}{delimiter}corrected{delimiter}{own}")
                    }
                    Format::JsonLines | Format::GeoJson => format.row(&corrected),
                };
                text = text.replace(row.trim_end_matches(','), &corrected);
            }
            fs::write(rejects, text).expect("corrected rows");
            let of_both = build(&project, kind, &[file("dirty"), rejects.clone()]);
            assert_eq!(of_both.rejects, of_dirty.rejects, "no corrected row is rejected");
            let of_clean = build(&project, kind, &[file("clean")]);
            assert_eq!(of_clean.reasons(), []);
            assert_eq!(of_both.release().manifest(), of_clean.release().manifest(), "{kind} {format:?}");
        }
    }
}
