//! Reads the features of a GeoJSON feature collection as rows.
//!
//! Each feature is parsed separately, so an invalid feature doesn't affect other features. If a file's JSON
//! is invalid, the entire file is rejected.

use std::iter::Zip;
use std::ops::RangeFrom;
use std::vec;

use dataset::Position;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::error::{FileFault, RowFault};
use super::input::Input;
use super::json;
use super::limits::ROW_BYTES;
use super::marks::without_marks;
use super::row::{Row, RowProblem, SourceRow, check_lengths};

/// A collection's unread features, with their numbers.
pub(super) struct GeoJsonRows(Zip<RangeFrom<u64>, vec::IntoIter<Box<RawValue>>>);

#[derive(Deserialize)]
struct Collection {
    #[serde(default, rename = "type")]
    _type: CollectionType,
    features: Vec<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
enum CollectionType {
    #[default]
    FeatureCollection,
}

impl GeoJsonRows {
    pub(super) fn begin(input: &mut Input<'_>) -> Result<Self, FileFault> {
        let bytes = input.rest()?;
        if bytes.trim_ascii().is_empty() {
            return Err(FileFault::Empty("a GeoJSON FeatureCollection"));
        }
        // Map each byte to the character with the same code point, because features are decoded separately.
        let text: String = bytes.into_iter().map(char::from).collect();
        let Collection { features, .. } = serde_json::from_str(&text).map_err(FileFault::NoCollection)?;
        Ok(Self((1..).zip(features)))
    }

    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Option<Row> {
        let (line, feature) = self.0.next()?;
        let raw = feature.get().chars().map(|character| character as u8).collect();
        let raw = input.decoded(raw, line);
        Some(match parse(&raw) {
            Ok((fields, position)) => Row::Read(SourceRow { line, fields, position, raw }),
            Err(fault) => Row::Unreadable(RowProblem::new(line, &fault, raw)),
        })
    }
}

/// Parses a feature. Returns its properties and its position if it has one.
fn parse(bytes: &[u8]) -> Result<(Map<String, Value>, Option<Position>), RowFault> {
    if bytes.len() > ROW_BYTES {
        return Err(RowFault::FeatureTooLong);
    }
    let text = str::from_utf8(bytes).map_err(|_| RowFault::FeatureNotUtf8)?;
    let mut feature = json::parse(text)?;
    if feature["type"] != "Feature" {
        return Err(RowFault::NoFeature);
    }
    let position = position(&feature["geometry"])?;
    without_marks(&mut feature["properties"]);
    let fields = match feature["properties"].take() {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        _ => return Err(RowFault::Properties),
    };
    check_lengths(&fields)?;
    Ok((fields, position))
}

fn position(geometry: &Value) -> Result<Option<Position>, RowFault> {
    if geometry.is_null() {
        return Ok(None);
    }
    match geometry["type"].as_str() {
        Some("Point") => {}
        Some(other) => return Err(RowFault::Geometry(other.to_owned())),
        None => return Err(RowFault::NoGeometryType),
    }
    let coordinate = |at: usize| geometry["coordinates"][at].as_f64();
    match (coordinate(0), coordinate(1)) {
        (Some(longitude), Some(latitude)) => Ok(Some(Position { latitude, longitude })),
        _ => Err(RowFault::Coordinates),
    }
}
