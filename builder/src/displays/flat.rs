//! Converts flat rows to records according to a column map.

use dataset::inventory::SpotId;
use dataset::inventory::record::{
    Account, Construction, ConstructionType, Face, Location, Named, NamedPlace, PlaceRef, Record,
    Representation, Text,
};

use super::facing::{Facing, facing, read_side};
use super::figures::{Illumination, illumination, is_digital, names_digital, truth};
use super::formats::SUNLIT;
use super::layout::layout;
use super::market::{DisplayLocation, location};
use super::offer::offer;
use super::targets::{REQUIRED, SCHEMA};
use crate::columns::{ColumnMap, Fields, MapError, Unkept};
use crate::dates::{is_date, is_digits, is_time};
use crate::location::{Contradiction, Markets};
use crate::rows::Reasons;
use crate::rows::{RowReader, SourceRow, quoted};

/// The difference between the IDs of a display's consecutive spots. It's greater than the largest display ID,
/// so spot IDs never collide with the IDs of other displays.
const APART: i64 = 10_000_000_000;

/// The reason for dropping several directions of a single face.
const SEVERAL_DIRECTIONS: &str = "lists several directions for one face; give each face its own row, or \
                                  map a column to faces";

/// A display that was read from a flat row.
#[derive(Debug)]
pub struct Flat {
    pub(super) spot_id: Option<SpotId>,
    pub(super) plant_spot_id: Option<String>,
    /// The record, without its IDs, because these can depend on other rows.
    pub record: Record<'static>,
    /// Whether the display is outside the United States.
    pub is_outside: bool,
    /// The row's area names that contradict its position.
    pub contradictions: Vec<Contradiction>,
    /// The row's values that the record can't store.
    pub unkept: Vec<Unkept>,
}

/// Checks that a file has the columns that the map requires, before the first row is read.
pub(crate) fn check(map: &ColumnMap, file: &RowReader<'_>) -> Result<(), MapError> {
    map.check(file, &REQUIRED)?;
    map.check_any(file, SCHEMA.any_of)
}

/// Reads a flat row.
///
/// # Errors
///
/// Returns all reasons for rejecting the row.
pub fn parse(row: &SourceRow, map: &ColumnMap, markets: Markets<'_>) -> Result<Flat, Reasons> {
    let mut fields = Fields::new(row, map);
    let reading = &mut fields;
    let id = whole(reading, "spot_id", 1, i64::from(u32::MAX));
    let spot_id = id.map(|id| SpotId::from_raw(u32::try_from(id).expect("within the bounds")));
    let plant_spot_id = reading.text("plant_spot_id");
    if plant_spot_id.is_none() && spot_id.is_none() && reading.is_right() {
        reading.reject("spot_id and plant_spot_id are missing; one of them is required".to_owned());
    }
    let operator = reading.text("operator");
    let mut record = described(reading);
    offer(&mut record, reading);
    record.representations = represented(operator, reading.text("parent_operator"));
    record.layouts = Some(vec![layout(&record, plant_spot_id.clone(), map, reading)]);
    let orientation = oriented(&mut record, reading);
    let place_name = reading.text("place_name").map(Text::Owned);
    let primary_artery = reading.text("primary_artery").map(Text::Owned);
    let located = reading.position().map(|position| location(position, markets, reading));
    let (reasons, unkept) = fields.into_parts();
    let Some(DisplayLocation { location, is_outside, contradictions }) =
        located.filter(|_| reasons.is_empty())
    else {
        return Err(reasons);
    };
    let places = place_name.clone().map(|name| vec![NamedPlace { place_name: Some(name) }]);
    record.location = Some(Location { primary_artery, orientation, places, ..location });
    record.place =
        place_name.map(|name| PlaceRef { place_id: Some(Text::Borrowed("")), place_name: Some(name) });
    Ok(Flat { spot_id, plant_spot_id, record, is_outside, contradictions, unkept })
}

/// Reads the direction of the display or of each face, and the side of the road from which the display is
/// read. Stores the side and the faces' directions in the record. Returns the display's direction, or `None`
/// unless the row contains exactly one direction.
fn oriented(record: &mut Record<'_>, fields: &mut Fields<'_>) -> Option<f64> {
    let faces = record.layouts.iter_mut().flatten().flat_map(|layout| layout.faces.iter_mut().flatten());
    let faces: Vec<&mut Face<'_>> = faces.collect();
    let expected = "a number of degrees from 0 to 360, a compass point, or a side such as RHR";
    let written = understood(fields, "orientation", |text| facing(text, faces.len()), expected);
    let Facing { degrees, read_side: by_facing } = written.unwrap_or_default();
    let expected = "a side such as right, RHR, or LHR";
    let given = understood(fields, "read_side", read_side, expected);
    if given == Some(None) {
        fields.leave_out("read_side", "doesn't name exactly one side");
    }
    let given = given.flatten();
    if let (Some(given), Some(other)) = (given, by_facing)
        && given != other
    {
        fields.reject(format!("read_side is {given}, but orientation says {other}; correct one of them"));
    }
    record.read_side = given.or(by_facing).map(Text::Borrowed);
    match degrees[..] {
        [degrees] => return Some(degrees),
        [] => {}
        _ if degrees.len() == faces.len() => {
            for (face, degrees) in faces.into_iter().zip(degrees) {
                face.orientation = Some(degrees);
            }
        }
        _ if faces.len() == 1 => fields.leave_out("orientation", SEVERAL_DIRECTIONS),
        _ => fields.reject(format!(
            "orientation lists {} directions, but the display has {} faces",
            degrees.len(),
            faces.len()
        )),
    }
    None
}

/// Sets the IDs in a record. The layout and the first spot have the display's ID. Each additional spot's ID
/// is ten billion higher than the previous spot's. A face has the ID of its first spot.
pub(crate) fn number(record: &mut Record<'_>, id: SpotId) {
    let number = i64::from(id.raw());
    record.spot_id = Some(id);
    for layout in record.layouts.iter_mut().flatten() {
        layout.id = Some(number);
        let mut ids = (0..).map(|at| number + at * APART);
        for face in layout.faces.iter_mut().flatten() {
            for spot in face.spots.iter_mut().flatten() {
                spot.id = ids.next();
            }
            face.id = face.spots.iter().flatten().next().and_then(|spot| spot.id);
        }
    }
}

/// Reads the members that describe the display as a whole.
fn described(fields: &mut Fields<'_>) -> Record<'static> {
    let named =
        |fields: &mut Fields<'_>, target| fields.text(target).map(|name| Named { name: Some(name.into()) });
    let flag = |fields: &mut Fields<'_>, target| understood(fields, target, truth, "yes or no");
    let built = |name: String| ConstructionType { id: None, name: Some(name.into()) };
    let construction = fields.text("construction");
    let media_type = fields.text("media_type");
    let digital = understood(fields, "digital", is_digital, "yes or no");
    let digital = digital.or(media_type.as_deref().is_some_and(names_digital).then_some(true));
    let name = |name: String| Named { name: Some(name.into()) };
    Record {
        media_name: fields.text("media_name").map(Text::Owned),
        digital,
        audio: flag(fields, "audio"),
        full_motion: flag(fields, "full_motion"),
        partial_motion: flag(fields, "partial_motion"),
        interactive: flag(fields, "interactive"),
        rotating: flag(fields, "rotating"),
        media_type: media_type.map(name),
        classification_type: named(fields, "classification"),
        construction: construction.map(|name| Construction { construction_type: Some(built(name)) }),
        illumination_type: illumination_type(fields).map(name),
        illumination_start_time: understood(fields, "illumination_start", time, "a time (HH:MM:SS)"),
        illumination_end_time: understood(fields, "illumination_end", time, "a time (HH:MM:SS)"),
        placement_type: named(fields, "placement"),
        status_type: named(fields, "status"),
        ..Record::default()
    }
}

/// Returns the name of the illumination type. If the row states only whether the display is lit, the type is
/// known only for unlit displays.
fn illumination_type(fields: &mut Fields<'_>) -> Option<String> {
    match illumination(fields.text("illumination")?) {
        Illumination::Named(name) => return Some(name),
        Illumination::Unlit => return Some(SUNLIT.name.to_owned()),
        Illumination::Lit => fields.leave_out("illumination", "doesn't say how the display is lit"),
        Illumination::Missing => {}
    }
    None
}

fn represented(
    operator: Option<String>,
    parent: Option<String>,
) -> Option<Vec<Vec<Representation<'static>>>> {
    if operator.is_none() && parent.is_none() {
        return None;
    }
    let account = Account { name: operator.map(Text::Owned), parent_account_name: parent.map(Text::Owned) };
    let own = Named { name: Some(Text::Borrowed("Own")) };
    Some(vec![vec![Representation { account: Some(account), representation_type: Some(own) }]])
}

/// Reads a field with `parse`. If `parse` returns `None`, rejects the row with a reason that names the
/// `expected` value.
pub(super) fn understood<T>(
    fields: &mut Fields<'_>,
    target: &str,
    parse: impl FnOnce(&str) -> Option<T>,
    expected: &str,
) -> Option<T> {
    let text = fields.number(target)?;
    let value = parse(&text);
    if value.is_none() {
        fields.reject(format!("{target} {} is not {expected}", quoted(&text)));
    }
    value
}

pub(super) fn whole(fields: &mut Fields<'_>, target: &str, least: i64, most: i64) -> Option<i64> {
    let parse = |text: &str| {
        let number = if is_digits(text) { text.parse().ok() } else { None };
        number.filter(|number| (least..=most).contains(number))
    };
    understood(fields, target, parse, &format!("a whole number from {least} to {most}"))
}

/// Parses a time with or without seconds.
fn time(text: &str) -> Option<Text<'static>> {
    let whole = if text.len() == 5 { format!("{text}:00") } else { text.to_owned() };
    is_time(&whole).then_some(Text::Owned(whole))
}

pub(super) fn is_clock_time(text: &str) -> bool {
    time(text).is_some()
}

pub(super) fn is_vintage(text: &str) -> bool {
    is_digits(text) && text.len() == 8 && is_date(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]))
}

/// Returns whether a row of a JSON lines file is a complete record rather than a flat row.
pub fn is_complete_record(row: &SourceRow) -> bool {
    let has_id = ["spot_id", "id"].iter().any(|name| row.fields.contains_key(*name));
    has_id && row.fields.get("location").is_some_and(serde_json::Value::is_object)
}
