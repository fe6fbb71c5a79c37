//! Reads a display's layout: its faces, and their sizes and spots.

use dataset::inventory::record::{Face, Layout, Record, Spot, Text};

use super::flat::{understood, whole};
use super::measurements::{Size, WrittenSize, length, share, size};
use crate::columns::{ColumnMap, Fields};
use crate::rows::quoted;

/// The maximum number of faces per display.
const MOST_FACES: i64 = 100;

/// The maximum number of spots per face.
const MOST_SPOTS: i64 = 1_000;

/// The maximum number of spots per display. A larger number is a mistake and would produce a record of
/// several megabytes.
const MOST_SPOTS_OF_ALL_FACES: i64 = 1_000;

/// The maximum length of a spot, in seconds: one day.
const LONGEST: i64 = 86_400;

/// Creates a display's only layout, including the faces. The layout has the same capabilities as the display.
pub(super) fn layout(
    whole_display: &Record<'_>,
    plant_spot_id: Option<String>,
    map: &ColumnMap,
    fields: &mut Fields<'_>,
) -> Layout<'static> {
    let Record { audio, full_motion, partial_motion, interactive, rotating, .. } = *whole_display;
    let (height, width) = sides(fields);
    let spots = whole(fields, "spots", 1, MOST_SPOTS);
    // If values are modelled, let the model determine a missing share of voice instead of assuming one spot
    // per face.
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
            "{faces} faces with {spots} spots each exceed the limit of {MOST_SPOTS_OF_ALL_FACES} spots per \
             display; correct faces or spots"
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

/// Returns the height and the width, from their own columns or from the size. Rejects the row if the values
/// contradict each other.
fn sides(fields: &mut Fields<'_>) -> (Option<i64>, Option<i64>) {
    let inches = "a length, such as 168 (inches) or 14'";
    let notation = fields.notation();
    let height = understood(fields, "height", |text| length(text, notation), inches);
    let width = understood(fields, "width", |text| length(text, notation), inches);
    let Some(Size { height: other_height, width: other_width }) = whole_size(fields) else {
        return (height, width);
    };
    if height.unwrap_or(other_height) != other_height || width.unwrap_or(other_width) != other_width {
        fields.reject(format!(
            "size is {other_height} x {other_width} inches, which contradicts height and width; correct one of them"
        ));
    }
    (Some(other_height), Some(other_width))
}

/// Reads the size of a face. Returns `None` for a screen's resolution, because records can't store it.
fn whole_size(fields: &mut Fields<'_>) -> Option<Size> {
    let text = fields.number("size")?;
    match size(&text, fields.notation()) {
        Ok(WrittenSize::Face(size)) => return Some(size),
        Ok(WrittenSize::Picture) => fields.leave_out("size", "is a screen resolution, not a size"),
        Err(error) => fields.reject(format!("size {} {error}", quoted(&text))),
    }
    None
}

/// Returns the measurement's name and vintage. If only one of them is present, rejects the row, unless that
/// one is a constant in the map.
fn measure(map: &ColumnMap, fields: &mut Fields<'_>) -> Option<(Text<'static>, Text<'static>)> {
    let is_given = fields.text("vintage").is_some();
    match (fields.text("measure"), fields.date("vintage")) {
        (Some(name), Some(vintage)) => return Some((name.into(), vintage.replace('-', "").into())),
        (Some(_), None) if !is_given && !map.is_constant("measure") => {
            fields.reject("measure is set, but vintage is missing".to_owned());
        }
        (None, Some(_)) if !map.is_constant("vintage") => {
            fields.reject("vintage is set, but measure is missing".to_owned());
        }
        _ => {}
    }
    None
}
