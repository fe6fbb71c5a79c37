//! Rows of a GeoJSON feature collection.
//!
//! The features are found by their brackets and parsed one by one, so that a feature that is not right costs
//! one row. Where the brackets themselves do not match, nobody can tell how many rows follow: that is an
//! error of the file.

use dataset::Position;
use serde_json::{Map, Value};

use super::error::{FeaturePosition, FileFault, RowFault};
use super::input::Input;
use super::json;
use super::limits::ROW_BYTES;
use super::marks::without_marks;
use super::row::{Row, RowProblem, SourceRow, check_lengths};

/// Deeper than anything that is parsed.
const DEPTH: usize = 512;

/// Where a feature collection has been read to.
#[derive(Debug, Default)]
pub(super) struct GeoJsonRows {
    state: State,
    features: u64,
    has_features: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    /// Before a member of the collection, or its end.
    Members,
    /// Before the first feature of a list, or its end.
    FirstFeature,
    /// Before a feature that a comma announced.
    Feature,
    /// Behind a feature.
    AfterFeature,
    End,
}

impl GeoJsonRows {
    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Row>, FileFault> {
        loop {
            let next = token(input)?;
            self.state = match (self.state, next) {
                (State::Start, Some(b'{')) => open(input, State::Members),
                (State::Start, None) => return Err(FileFault::Empty("a GeoJSON FeatureCollection")),
                (State::Members, Some(b'}')) => open(input, State::End),
                (State::Members, Some(b',')) => open(input, State::Members),
                (State::Members, Some(b'"')) => self.member(input)?,
                (State::FirstFeature | State::AfterFeature, Some(b']')) => open(input, State::Members),
                (State::AfterFeature, Some(b',')) => open(input, State::Feature),
                (State::FirstFeature | State::Feature, Some(_)) => return self.feature(input).map(Some),
                (State::End, None) if self.has_features => return Ok(None),
                (State::End, None) => return Err(FileFault::NoCollection("has no features")),
                (State::Start | State::End, Some(_)) => {
                    return Err(FileFault::NoCollection("is not one JSON object"));
                }
                (_, None) => return Err(FileFault::BreaksOff(self.place())),
                (_, Some(byte)) => {
                    return Err(FileFault::Misplaced { character: char::from(byte), place: self.place() });
                }
            };
        }
    }

    /// Takes a member of the collection, up to the first feature where it is their list.
    fn member(&mut self, input: &mut Input<'_>) -> Result<State, FileFault> {
        let name = self.value(input)?;
        if token(input)? != Some(b':') {
            return Err(FileFault::NoColon);
        }
        input.take(1);
        match (name.as_slice(), token(input)?) {
            (b"\"features\"", Some(b'[')) => {
                self.has_features = true;
                Ok(open(input, State::FirstFeature))
            }
            (b"\"features\"", _) => Err(FileFault::NoCollection("has features that are no list")),
            (b"\"type\"", _) => match self.value(input)?.as_slice() {
                b"\"FeatureCollection\"" => Ok(State::Members),
                _ => Err(FileFault::NoCollection("is of another type")),
            },
            _ => self.value(input).map(|_| State::Members),
        }
    }

    fn feature(&mut self, input: &mut Input<'_>) -> Result<Row, FileFault> {
        self.features += 1;
        let line = self.features;
        let raw = self.value(input)?;
        let raw = if raw.len() > ROW_BYTES { raw } else { input.decoded(raw, line) };
        self.state = State::AfterFeature;
        Ok(match parse(&raw) {
            Ok((fields, position)) => Row::Read(SourceRow { line, fields, position, raw }),
            Err(fault) => Row::Unreadable(RowProblem::new(line, &fault, raw)),
        })
    }

    /// Takes what stands before the next comma, colon or closing bracket. Of what is longer than a row may
    /// be, the beginning is kept.
    fn value(&self, input: &mut Input<'_>) -> Result<Vec<u8>, FileFault> {
        let mut kept = Vec::new();
        let mut closers = Vec::new();
        let mut in_string = false;
        loop {
            let Some(byte) = input.peek()? else { return Err(FileFault::BreaksOff(self.place())) };
            match byte {
                b'\\' if in_string => {
                    keep(&mut kept, byte);
                    input.take(1);
                    let Some(escaped) = input.peek()? else { continue };
                    keep(&mut kept, escaped);
                    input.take(1);
                    continue;
                }
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b',' | b':' | b']' | b'}' if closers.is_empty() => {
                    kept.truncate(kept.trim_ascii_end().len());
                    return Ok(kept);
                }
                b'{' => closers.push(b'}'),
                b'[' => closers.push(b']'),
                b']' | b'}' if closers.pop() != Some(byte) => {
                    return Err(FileFault::Brackets(self.place()));
                }
                _ => {}
            }
            if closers.len() > DEPTH {
                return Err(FileFault::TooDeep { most: DEPTH, place: self.place() });
            }
            keep(&mut kept, byte);
            input.take(1);
        }
    }

    fn place(&self) -> FeaturePosition {
        FeaturePosition(self.features)
    }
}

/// Keeps a byte, and one more than a row may have, to show that there are more.
fn keep(kept: &mut Vec<u8>, byte: u8) {
    if kept.len() <= ROW_BYTES {
        kept.push(byte);
    }
}

/// Returns the next byte that is no space, and leaves it there.
fn token(input: &mut Input<'_>) -> Result<Option<u8>, FileFault> {
    loop {
        match input.peek()? {
            Some(b' ' | b'\t' | b'\r' | b'\n') => input.take(1),
            other => return Ok(other),
        }
    }
}

/// Takes the byte that leads to a state.
fn open(input: &mut Input<'_>, state: State) -> State {
    input.take(1);
    state
}

/// Takes a feature apart.
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
