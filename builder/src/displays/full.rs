//! Reads complete records. Valid records are stored unchanged.

use dataset::Position;
use dataset::inventory::SpotId;
use dataset::inventory::record::{Face, Location, Record, Spot, Text};
use serde_json::{Map, Value};

use super::flat::is_vintage;
use super::members::check_members;
use crate::dates::is_time;
use crate::location::{self, Address, Contradiction, Markets, Region};
use crate::location::{SWAPPED, is_position, swapped};
use crate::rows::Reasons;
use crate::rows::{CELL_BYTES, Unparsed, quoted, shortened};

/// The maximum length of a parser's error message in a rejection reason, in characters.
const SHOWN: usize = 400;

/// The result of [`parse_line`]: a valid record, or a row that must be parsed with [`parse`] to find its
/// errors.
pub(super) enum Line {
    Record { line: u64, raw: Vec<u8>, record: Box<Record<'static>>, contradiction: Option<Contradiction> },
    Other(Unparsed),
}

/// Parses a line if it's a valid record. This is several times faster than [`parse`], which also finds the
/// errors in an invalid record.
pub(super) fn parse_line(row: Unparsed, region: Region<'_>) -> Line {
    let Unparsed::Line(line) = row else { return Line::Other(row) };
    // Only a line that is longer than `CELL_BYTES` can contain a string that is too long.
    if line.bytes.len() > CELL_BYTES || line.is_cut {
        return Line::Other(Unparsed::Line(line));
    }
    let Ok(mut record) = serde_json::from_slice::<Box<Record<'static>>>(&line.bytes) else {
        return Line::Other(Unparsed::Line(line));
    };
    forget_unknown_lengths(&mut record);
    let mut reasons = Reasons::default();
    let contradiction = check(&record, region, &mut reasons);
    if !reasons.is_empty() {
        return Line::Other(Unparsed::Line(line));
    }
    Line::Record { line: line.number, raw: line.bytes, record, contradiction }
}

/// Converts a JSON object to a record. Also returns the state or ZIP code that contradicts the record's
/// position, if any.
///
/// # Errors
///
/// If any strings are too long, returns all of them. Otherwise, returns the first member that can't be
/// deserialized, or all invalid values.
pub fn parse(
    fields: Map<String, Value>,
    markets: Markets<'_>,
) -> Result<(Record<'static>, Option<Contradiction>), Reasons> {
    let value = Value::Object(fields);
    let mut reasons = Reasons::default();
    find_long("", &value, &mut reasons);
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let mut record: Record<'static> = match serde_path_to_error::deserialize(value) {
        Ok(record) => record,
        Err(error) => {
            reasons.add(unreadable(&error));
            return Err(reasons);
        }
    };
    forget_unknown_lengths(&mut record);
    let contradiction = check(&record, markets.region, &mut reasons);
    if reasons.is_empty() { Ok((record, contradiction)) } else { Err(reasons) }
}

/// Treats a spot length of null as missing, like null in all other members.
fn forget_unknown_lengths(record: &mut Record<'_>) {
    let faces = record.layouts.iter_mut().flatten().flat_map(|layout| layout.faces.iter_mut().flatten());
    for spot in faces.flat_map(|face| face.spots.iter_mut().flatten()) {
        spot.spot_length.take_if(|length| length.is_none());
    }
}

fn unreadable(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let (path, reason) = (error.path().to_string(), error.inner().to_string());
    let reason = shortened(&reason, SHOWN);
    // The error for an unknown member has no path, but its message names the member.
    if path == "." { reason.into_owned() } else { format!("{path}: {reason}") }
}

fn find_long(path: &str, value: &Value, reasons: &mut Reasons) {
    match value {
        Value::String(text) if text.len() > CELL_BYTES => {
            reasons.add(format!("{path} is longer than {CELL_BYTES} bytes"));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                find_long(&format!("{path}[{at}]"), item, reasons);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                find_long(&path, member, reasons);
            }
        }
        _ => {}
    }
}

fn check(record: &Record<'_>, region: Region<'_>, reasons: &mut Reasons) -> Option<Contradiction> {
    match record.spot_id.map(SpotId::raw) {
        Some(0) => reasons.add(format!("spot_id: 0 is not a whole number from 1 to {}", u32::MAX)),
        Some(_) => {}
        None => reasons.add("spot_id is missing".to_owned()),
    }
    for (member, text) in [
        ("illumination_start_time", &record.illumination_start_time),
        ("illumination_end_time", &record.illumination_end_time),
    ] {
        if let Some(text) = text.as_deref().filter(|text| !is_time(text)) {
            reasons.add(format!("{member}: {} is not a time (HH:MM:SS)", quoted(text)));
        }
    }
    let contradiction = check_location(record.location.as_ref(), region, reasons);
    check_members(record, reasons);
    for (at, layout) in record.layouts.iter().flatten().enumerate() {
        for (face_at, face) in layout.faces.iter().flatten().enumerate() {
            check_face(&format!("layouts[{at}].faces[{face_at}]"), face, reasons);
        }
    }
    contradiction
}

fn check_location(
    location: Option<&Location<'_>>,
    region: Region<'_>,
    reasons: &mut Reasons,
) -> Option<Contradiction> {
    let orientation = location.and_then(|location| location.orientation);
    check_orientation("location.orientation", orientation, reasons);
    let Some(geometry) = location.and_then(|location| location.geometry.as_ref()) else {
        reasons.add("location.geometry is missing; it must be a Point".to_owned());
        return None;
    };
    if geometry.kind.is_none() {
        reasons.add("location.geometry.type is missing; it must be Point".to_owned());
    }
    let Some(coordinates) = geometry.coordinates else {
        reasons.add("location.geometry.coordinates is missing; it must be [longitude, latitude]".to_owned());
        return None;
    };
    for (at, (degrees, bound)) in coordinates.into_iter().zip([180.0, 90.0]).enumerate() {
        if !(-bound..=bound).contains(&degrees) {
            let member = format!("location.geometry.coordinates[{at}]");
            reasons.add(format!("{member}: {degrees} is not between -{bound} and {bound} degrees"));
        }
    }
    let [longitude, latitude] = coordinates;
    let position = Position { latitude, longitude };
    if coordinates == [0.0, 0.0] {
        reasons.add("location.geometry.coordinates are both 0, which means that the position is missing");
        return None;
    }
    if !is_position(position) {
        if is_position(swapped(position)) {
            reasons.add(format!("location.geometry.coordinates: {SWAPPED}"));
        }
        return None;
    }
    location::check(&address(location?), position, region).unwrap_or_else(|reason| {
        reasons.add(format!("location: {reason}"));
        None
    })
}

/// Returns the parts of the address that are compared with the position.
fn address(location: &Location<'_>) -> Address {
    let text = |text: &Option<Text<'_>>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    Address { state: text(&location.state), zip_code: text(&location.zip_code), ..Address::default() }
}

fn check_face(path: &str, face: &Face<'_>, reasons: &mut Reasons) {
    for (member, inches) in [("width", face.width), ("height", face.height)] {
        check_sign(&format!("{path}.{member}"), inches, reasons);
    }
    check_orientation(&format!("{path}.orientation"), face.orientation, reasons);
    for (at, spot) in face.spots.iter().flatten().enumerate() {
        let path = format!("{path}.spots[{at}]");
        let Spot { spot_length, measures, .. } = spot;
        check_sign(&format!("{path}.spot_length"), spot_length.flatten(), reasons);
        for (measure_at, measure) in measures.iter().flatten().enumerate() {
            let wrong = measure.iter().filter(|(_, vintage): &(&Text<'_>, &Text<'_>)| !is_vintage(vintage));
            for (name, vintage) in wrong {
                let member = format!("{path}.measures[{measure_at}].{name}");
                reasons.add(format!("{member}: {} is not a calendar date (YYYYMMDD)", quoted(vintage)));
            }
        }
    }
}

fn check_orientation(member: &str, degrees: Option<f64>, reasons: &mut Reasons) {
    if let Some(degrees) = degrees.filter(|degrees| !(0.0..=360.0).contains(degrees)) {
        reasons.add(format!("{member}: {degrees} is not between 0 and 360 degrees"));
    }
}

fn check_sign(member: &str, number: Option<i64>, reasons: &mut Reasons) {
    if let Some(number) = number.filter(|number| *number < 0) {
        reasons.add(format!("{member}: {number} is less than 0"));
    }
}
