//! Makes a spot of the columns of a row.

use dataset::inventory::SpotId;
use dataset::inventory::record::{
    Account, Construction, ConstructionType, Face, Layout, Location, Named, NamedPlace, PlaceRef, Record,
    Representation, Spot, Text,
};

use super::facing::{Facing, facing, read_side};
use super::figures::{Illumination, illumination, is_digital, names_digital, truth};
use super::formats::SUNLIT;
use super::market::{Contradiction, Located, Markets};
use super::measurements::{Size, WrittenSize, length, share, size};
use super::offer::offer;
use super::targets::{REQUIRED, SCHEMA};
use crate::columns::{ColumnMap, Fields, MapError};
use crate::dates::{is_date, is_digits, is_time};
use crate::rows::Reasons;
use crate::rows::{RowReader, SourceRow, quoted};

/// The most faces of a display.
const MOST_FACES: i64 = 100;

/// The most spots of a face.
const MOST_SPOTS: i64 = 1_000;

/// The most spots of a display, on all of its faces: more are a mistake, and a record of megabytes.
const MOST_SPOTS_OF_ALL_FACES: i64 = 1_000;

/// The longest time that a spot is shown, in seconds: a day.
const LONGEST: i64 = 86_400;

/// How far the ids of a display's spots are apart: more than there are ids, so that none of them is that of
/// another spot.
const APART: i64 = 10_000_000_000;

/// A flat row that was read.
#[derive(Debug)]
pub struct Flat {
    pub(super) spot_id: Option<SpotId>,
    pub(super) plant_spot_id: Option<String>,
    /// The record, without the ids that depend on other rows.
    pub record: Record<'static>,
    /// Whether the display is outside the United States.
    pub is_outside: bool,
    /// The areas that the row names, and that its position isn't in.
    pub contradictions: Vec<Contradiction>,
}

/// Holds a file to the map before its first row is read.
pub(crate) fn check(map: &ColumnMap, file: &RowReader<'_>) -> Result<(), MapError> {
    map.check(file, &REQUIRED)?;
    map.check_any(file, SCHEMA.any_of)
}

/// Reads a flat row.
///
/// # Errors
///
/// Fails with all reasons why the row is rejected.
pub fn parse(row: &SourceRow, map: &ColumnMap, markets: Markets<'_>) -> Result<Flat, Reasons> {
    let mut fields = Fields::new(row, map);
    let reading = &mut fields;
    let id = whole(reading, "spot_id", 1, i64::from(u32::MAX));
    let spot_id = id.map(|id| SpotId::from_raw(u32::try_from(id).expect("within the bounds")));
    let plant_spot_id = reading.text("plant_spot_id");
    if plant_spot_id.is_none() && spot_id.is_none() && reading.is_right() {
        reading.reject("spot_id and plant_spot_id are missing; one of them is needed".to_owned());
    }
    let operator = reading.text("operator");
    let mut record = described(reading);
    offer(&mut record, reading);
    record.representations = represented(operator, reading.text("parent_operator"));
    record.layouts = Some(vec![layout(&record, plant_spot_id.clone(), map, reading)]);
    let orientation = oriented(&mut record, reading);
    let place_name = reading.text("place_name").map(Text::Owned);
    let primary_artery = reading.text("primary_artery").map(Text::Owned);
    let located = reading.position().map(|position| markets.location(position, reading));
    let reasons = fields.into_reasons();
    let Some(Located { location, is_outside, contradictions }) = located.filter(|_| reasons.is_empty())
    else {
        return Err(reasons);
    };
    let places = place_name.clone().map(|name| vec![NamedPlace { place_name: Some(name) }]);
    record.location = Some(Location { primary_artery, orientation, places, ..location });
    record.place =
        place_name.map(|name| PlaceRef { place_id: Some(Text::Borrowed("")), place_name: Some(name) });
    Ok(Flat { spot_id, plant_spot_id, record, is_outside, contradictions })
}

/// Reads the direction of the display or of each of its faces, and the side from which it's read. Returns the
/// direction of the display.
fn oriented(record: &mut Record<'_>, fields: &mut Fields<'_>) -> Option<f64> {
    let faces = record.layouts.iter_mut().flatten().flat_map(|layout| layout.faces.iter_mut().flatten());
    let faces: Vec<&mut Face<'_>> = faces.collect();
    let expected = "degrees from 0 to 360, a point of the compass, or a side such as RHR";
    let written = understood(fields, "orientation", |text| facing(text, faces.len()), expected);
    let Facing { degrees, read_side: by_facing } = written.unwrap_or_default();
    let expected = "a side such as right, RHR, or LHR";
    let given = understood(fields, "read_side", read_side, expected).flatten();
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
        // One face can't have several directions, so its direction is unknown.
        _ if faces.len() == 1 => {}
        _ => fields.reject(format!(
            "orientation lists {} directions, but the display has {} faces",
            degrees.len(),
            faces.len()
        )),
    }
    None
}

/// Gives a record its id. Its layout and its first spot have the same one; each further spot's is ten
/// thousand million higher. A face has that of its first spot.
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

/// Reads what is said of the display as a whole.
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
        illumination_type: fields.text("illumination").and_then(illumination_type).map(name),
        illumination_start_time: understood(fields, "illumination_start", time, "a time HH:MM:SS"),
        illumination_end_time: understood(fields, "illumination_end", time, "a time HH:MM:SS"),
        placement_type: named(fields, "placement"),
        status_type: named(fields, "status"),
        ..Record::default()
    }
}

/// Returns the name of a type of illumination. A flag names a type only if the display isn't lit.
fn illumination_type(text: String) -> Option<String> {
    match illumination(text) {
        Illumination::Named(name) => Some(name),
        Illumination::Unlit => Some(SUNLIT.name.to_owned()),
        Illumination::Lit | Illumination::Missing => None,
    }
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

/// Makes the one layout of a display, with its faces. Its capabilities are those of the display.
fn layout(
    whole_display: &Record<'_>,
    plant_spot_id: Option<String>,
    map: &ColumnMap,
    fields: &mut Fields<'_>,
) -> Layout<'static> {
    let Record { audio, full_motion, partial_motion, interactive, rotating, .. } = *whole_display;
    let (height, width) = sides(fields);
    let spots = whole(fields, "spots", 1, MOST_SPOTS);
    // A model knows better than that a spot has its face alone.
    let is_said = spots.is_some() || map.modelled().is_none();
    let share_of_voice = is_said.then(|| Text::Owned(share(spots.unwrap_or(1))));
    let spot = Spot {
        plant_spot_id: plant_spot_id.map(Text::Owned),
        spot_share_of_voice: share_of_voice.clone(),
        spot_length: whole(fields, "spot_length", 0, LONGEST).map(Some),
        rotating,
        audio,
        full_motion,
        partial_motion,
        interactive,
        measures: measure(map, fields).map(|(name, vintage)| vec![[(name, vintage)].into()]),
        ..Spot::default()
    };
    let spots = spots.unwrap_or(1);
    let mut faces = whole(fields, "faces", 1, MOST_FACES).unwrap_or(1);
    if faces * spots > MOST_SPOTS_OF_ALL_FACES {
        fields.reject(format!(
            "{faces} faces of {spots} spots each are more than {MOST_SPOTS_OF_ALL_FACES} spots, the most of \
             a display; correct faces or spots"
        ));
        faces = 1;
    }
    let spots = (0..spots).map(|_| spot.clone()).collect();
    let face = Face { width, height, spots: Some(spots), ..Face::default() };
    Layout {
        id: None,
        audio,
        full_motion,
        interactive,
        partial_motion,
        rotating,
        spot_share_of_voice: share_of_voice,
        faces: Some((0..faces).map(|_| face.clone()).collect()),
    }
}

/// Returns height and width: those that are said alone, else those of the size. They must not contradict each
/// other.
fn sides(fields: &mut Fields<'_>) -> (Option<i64>, Option<i64>) {
    let inches = "a length in inches, such as 168 or 14'";
    let notation = fields.notation();
    let height = understood(fields, "height", |text| length(text, notation), inches);
    let width = understood(fields, "width", |text| length(text, notation), inches);
    let Some(Size { height: other_height, width: other_width }) = whole_size(fields) else {
        return (height, width);
    };
    if height.unwrap_or(other_height) != other_height || width.unwrap_or(other_width) != other_width {
        fields.reject(format!(
            "size is {other_height} x {other_width} inches, but height and width say otherwise"
        ));
    }
    (Some(other_height), Some(other_width))
}

/// Reads the size of a face; `None` where it is that of a picture, of which a record keeps nothing.
fn whole_size(fields: &mut Fields<'_>) -> Option<Size> {
    let text = fields.number("size")?;
    match size(&text, fields.notation()) {
        Ok(WrittenSize::Face(size)) => return Some(size),
        Ok(WrittenSize::Picture) => {}
        Err(error) => fields.reject(format!("size {} {error}", quoted(&text))),
    }
    None
}

/// Returns the name of a measurement and its vintage. One without the other is a row that is not measured
/// where the other one is the same in all rows, and else a mistake.
fn measure(map: &ColumnMap, fields: &mut Fields<'_>) -> Option<(Text<'static>, Text<'static>)> {
    let is_given = fields.text("vintage").is_some();
    match (fields.text("measure"), fields.date("vintage")) {
        (Some(name), Some(vintage)) => return Some((name.into(), vintage.replace('-', "").into())),
        (Some(_), None) if !is_given && !map.is_constant("measure") => {
            fields.reject("measure has no vintage".to_owned());
        }
        (None, Some(_)) if !map.is_constant("vintage") => fields.reject("vintage has no measure".to_owned()),
        _ => {}
    }
    None
}

/// Reads a field that can be written in several ways.
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

/// Reads a time with or without seconds.
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
