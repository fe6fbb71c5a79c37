//! Rows of a GeoJSON feature collection.
//!
//! The features are found by their brackets and parsed one by one, so that a feature that is not right costs one row.
//! Where the brackets themselves do not match, nobody can tell how many rows follow: that is an error of the file.

use serde_json::{Map, Value};

use super::input::Input;
use dataset::Position;

use super::{ROW_BYTES, RowProblem, SourceRow, json, too_long};

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
    pub(super) fn next_row(&mut self, input: &mut Input<'_>) -> Result<Option<Result<SourceRow, RowProblem>>, String> {
        loop {
            let next = token(input)?;
            self.state = match (self.state, next) {
                (State::Start, Some(b'{')) => open(input, State::Members),
                (State::Start, None) => return Err("is empty: a GeoJSON FeatureCollection was expected".to_owned()),
                (State::Members, Some(b'}')) => open(input, State::End),
                (State::Members, Some(b',')) => open(input, State::Members),
                (State::Members, Some(b'"')) => self.member(input)?,
                (State::FirstFeature | State::AfterFeature, Some(b']')) => open(input, State::Members),
                (State::AfterFeature, Some(b',')) => open(input, State::Feature),
                (State::FirstFeature | State::Feature, Some(_)) => return self.feature(input).map(Some),
                (State::End, None) if self.has_features => return Ok(None),
                (State::End, None) => return Err(not_a_collection("has no features")),
                (State::Start | State::End, Some(_)) => return Err(not_a_collection("is not one JSON object")),
                (_, None) => return Err(format!("breaks off {}", self.place())),
                (_, Some(byte)) => {
                    return Err(format!("is not valid JSON: {:?} {}", char::from(byte), self.place()));
                }
            };
        }
    }

    /// Takes a member of the collection, up to the first feature where it is their list.
    fn member(&mut self, input: &mut Input<'_>) -> Result<State, String> {
        let name = self.value(input)?;
        if token(input)? != Some(b':') {
            return Err("is not valid JSON: a colon is missing behind the name of a member".to_owned());
        }
        input.take(1);
        match (name.as_slice(), token(input)?) {
            (b"\"features\"", Some(b'[')) => {
                self.has_features = true;
                Ok(open(input, State::FirstFeature))
            }
            (b"\"features\"", _) => Err(not_a_collection("has features that are no list")),
            (b"\"type\"", _) => match self.value(input)?.as_slice() {
                b"\"FeatureCollection\"" => Ok(State::Members),
                _ => Err(not_a_collection("is of another type")),
            },
            _ => self.value(input).map(|_| State::Members),
        }
    }

    fn feature(&mut self, input: &mut Input<'_>) -> Result<Result<SourceRow, RowProblem>, String> {
        self.features += 1;
        let bytes = self.value(input)?;
        self.state = State::AfterFeature;
        let result = if bytes.len() > ROW_BYTES {
            Err(format!("the feature is longer than {ROW_BYTES} bytes"))
        } else {
            parse(&bytes)
        };
        Ok(match result {
            Ok((fields, position)) => Ok(SourceRow { line: self.features, fields, position }),
            Err(reason) => Err(RowProblem::of_bytes(self.features, reason, &bytes)),
        })
    }

    /// Takes what stands before the next comma, colon or closing bracket. Of what is longer than a row may be, the
    /// beginning is kept.
    fn value(&self, input: &mut Input<'_>) -> Result<Vec<u8>, String> {
        let mut kept = Vec::new();
        let mut closers = Vec::new();
        let mut in_string = false;
        loop {
            let Some(byte) = input.peek()? else { return Err(format!("breaks off {}", self.place())) };
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
                    return Err(format!("is not valid JSON: the brackets do not match {}", self.place()));
                }
                _ => {}
            }
            if closers.len() > DEPTH {
                return Err(format!("has more than {DEPTH} brackets inside one another {}", self.place()));
            }
            keep(&mut kept, byte);
            input.take(1);
        }
    }

    fn place(&self) -> String {
        match self.features {
            0 => "before the first feature".to_owned(),
            number => format!("in or behind feature {number}"),
        }
    }
}

/// Keeps a byte, and one more than a row may have, to show that there are more.
fn keep(kept: &mut Vec<u8>, byte: u8) {
    if kept.len() <= ROW_BYTES {
        kept.push(byte);
    }
}

/// Returns the next byte that is no space, and leaves it there.
fn token(input: &mut Input<'_>) -> Result<Option<u8>, String> {
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

fn not_a_collection(how: &str) -> String {
    format!("{how}: a GeoJSON FeatureCollection was expected; one JSON object on each line is a .jsonl file")
}

/// Takes a feature apart.
fn parse(bytes: &[u8]) -> Result<(Map<String, Value>, Option<Position>), String> {
    let text = str::from_utf8(bytes).map_err(|_| "the feature is not UTF-8".to_owned())?;
    let mut feature = json::parse(text)?;
    if feature["type"] != "Feature" {
        return Err("this is not a GeoJSON Feature: its type is another".to_owned());
    }
    let position = position(&feature["geometry"])?;
    let fields = match feature["properties"].take() {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        _ => return Err("the properties are not an object".to_owned()),
    };
    match too_long(&fields) {
        Some(reason) => Err(reason),
        None => Ok((fields, position)),
    }
}

fn position(geometry: &Value) -> Result<Option<Position>, String> {
    if geometry.is_null() {
        return Ok(None);
    }
    match geometry["type"].as_str() {
        Some("Point") => {}
        Some(other) => return Err(format!("the geometry is a {}, not a Point", super::quoted(other))),
        None => return Err("the geometry has no type".to_owned()),
    }
    let coordinate = |at: usize| geometry["coordinates"][at].as_f64();
    match (coordinate(0), coordinate(1)) {
        (Some(longitude), Some(latitude)) => Ok(Some(Position { latitude, longitude })),
        _ => Err("the coordinates are not [longitude, latitude]".to_owned()),
    }
}
