//! Fills in missing members of a record and marks them as modelled. The only existing member that changes is
//! the status of a measured display.

use std::borrow::Cow;

use dataset::derived_id;
use dataset::inventory::record::{ConstructionType, Face, Layout, Named, Record, Spot, Text};
use dataset::inventory::{Field, FieldSet};
use serde_json::Value;

use super::formats::{FORMATS, Format, Light, Loop, construction_id, light};
use crate::random_stream::{Purpose, RandomStream};

/// The status of a spot whose audience has been measured.
pub(crate) const MEASURED: &str = "Published - Measured";

/// The status of a spot with modelled members.
pub(crate) const MODELLED: &str = "Published - Modelled";

/// A measurement's name and vintage (`YYYYMMDD`).
pub(crate) type Measurement<'a> = (Text<'a>, Text<'a>);

struct Filled(FieldSet);

/// Fills in an imported spot's missing types, flags, status, illumination, construction, orientation, and
/// layouts with values that are typical of its media type. Also adds a measurement named `modelled` with the
/// given vintage (`YYYYMMDD`), under the conditions described in [`fill`]. The same spot always gets the same
/// values. Spots with the same `media_name` get the same flags, because the name identifies a type of
/// display.
///
/// Lists the filled-in members in the record's `modelled`, along with the `assumed` fields that the record
/// contains. If any are listed, changes the status [`MEASURED`] to [`MODELLED`].
pub(crate) fn complete(record: &mut Record<'static>, vintage: &str, assumed: FieldSet) {
    let assumed = present(record, assumed);
    let id = record.spot_id.map_or(0, |id| id.raw());
    let mut random = RandomStream::of(0, Purpose::Completion, id.into());
    let format = format_of(record, &mut random);
    let flags_of = |model| RandomStream::of(0, Purpose::Flags, derived_id(&[model], 0..u64::MAX));
    let flags = record.media_name.as_deref().map(flags_of);
    let measurement = (Cow::Borrowed("modelled"), Cow::Owned(vintage.to_owned()));
    let filled = fill(record, format, (&mut random, flags), &measurement);
    mark(record, filled.or(assumed));
}

/// Returns the given fields that the record contains.
fn present(record: &Record<'_>, fields: FieldSet) -> FieldSet {
    if fields == FieldSet::NONE {
        return FieldSet::NONE;
    }
    let value = serde_json::to_value(record).expect("records can be serialized");
    fields.fields().filter(|field| has(&value, field.path())).fold(FieldSet::NONE, FieldSet::with)
}

/// Returns whether there is a value at a path. If the path passes through lists, checks all of their items.
fn has(value: &Value, path: &str) -> bool {
    match (value, path.split_once('.')) {
        (Value::Array(items), _) => items.iter().any(|item| has(item, path)),
        (value, Some((member, rest))) => value.get(member).is_some_and(|value| has(value, rest)),
        (value, None) => value.get(path).is_some(),
    }
}

/// Adds fields to the record's list of modelled fields, in the same order as the record's members. If there
/// are any, also changes the status [`MEASURED`] to [`MODELLED`].
fn mark(record: &mut Record<'_>, mut modelled: FieldSet) {
    if modelled == FieldSet::NONE {
        return;
    }
    if has_status(record, MEASURED) {
        record.status_type.get_or_insert_default().name = Some(Cow::Borrowed(MODELLED));
        modelled = modelled.with(Field::StatusType);
    }
    let listed = record.modelled.iter().flatten().filter_map(|path| FieldSet::at(path));
    let all = listed.fold(modelled, FieldSet::or);
    record.modelled = Some(all.fields().map(|field| Cow::Borrowed(field.path())).collect());
}

/// Returns whether a record has the given status, ignoring case, spaces, hyphens, and underscores.
pub(super) fn has_status(record: &Record<'_>, status: &str) -> bool {
    let name = record.status_type.as_ref().and_then(|status| status.name.as_deref());
    name.is_some_and(|name| is_same(name, status))
}

/// Returns the format that best matches a record. If several formats match equally well, draws one of them.
fn format_of(record: &Record<'_>, random: &mut RandomStream) -> &'static Format {
    let said = |named: &Option<Named<'_>>, value: &str| {
        named.as_ref().and_then(|named| named.name.as_deref()).is_some_and(|name| is_same(name, value))
    };
    let media_type = record.media_type.as_ref().and_then(|named| named.name.as_deref());
    let construction =
        record.construction.as_ref().and_then(|one| one.construction_type.as_ref()?.name.as_deref());
    let agreement = |format: &&Format| {
        let built =
            construction.is_some_and(|name| format.constructions.iter().any(|one| is_same(one, name)));
        // Each comparison outweighs all following comparisons.
        [
            media_type.is_some_and(|name| is_same(without_digital(name), format.media_type)),
            record.digital == Some(format.digital),
            said(&record.classification_type, format.classification),
            built,
        ]
    };
    let most = FORMATS.iter().map(|format| agreement(&format)).max();
    let candidates = FORMATS.iter().filter(|format| Some(agreement(format)) == most);
    random.weighted(candidates, |format| format.share)
}

/// Fills in a record's missing members with values that are typical of a display format, and returns the
/// filled-in fields. If `flags` is given, the flags are drawn from this stream instead of `random`. A missing
/// status becomes [`MODELLED`]. A measurement is added only if the status is [`MEASURED`] or [`MODELLED`] and
/// the record has no weekly impressions.
pub(crate) fn fill<'a>(
    record: &mut Record<'a>,
    format: &'static Format,
    (random, flags): (&mut RandomStream, Option<RandomStream>),
    measurement: &Measurement<'a>,
) -> FieldSet {
    // Draw all random numbers even if they aren't needed. Otherwise, an existing member would change the
    // values of other members.
    let [construction, placement] =
        [format.constructions, format.placements].map(|names| *random.pick(names));
    let (light, size) = (*random.pick(format.lights), *random.pick(format.sizes));
    let turn = *random.pick(format.loops);
    let orientation = random.below(360) as f64;
    let (filled, mut flags) = (&mut Filled(FieldSet::NONE), flags);
    fill_flags(record, format, flags.as_mut().unwrap_or(random), filled);
    filled.name(Field::MediaType, &mut record.media_type, format.media_type);
    filled.name(Field::ClassificationType, &mut record.classification_type, format.classification);
    filled.name(Field::PlacementType, &mut record.placement_type, placement);
    filled.name(Field::StatusType, &mut record.status_type, MODELLED);
    fill_light(record, light, filled);
    let built = record.construction.get_or_insert_default().construction_type.get_or_insert_default();
    fill_construction(built, construction, filled);
    let has_faces_orientation = orientations(record).next().is_some();
    if let Some(location) = record.location.as_mut().filter(|_| !has_faces_orientation) {
        filled.insert(Field::Orientation, &mut location.orientation, Some(orientation));
    }
    let is_measurable = has_status(record, MEASURED) || has_status(record, MODELLED);
    let measurement = Some(measurement).filter(|_| is_measurable && record.weekly_impressions.is_none());
    fill_layouts(record, size, turn, measurement, filled);
    filled.0
}

fn fill_flags(record: &mut Record<'_>, format: &Format, random: &mut RandomStream, filled: &mut Filled) {
    filled.insert(Field::Digital, &mut record.digital, Some(format.digital));
    let chances = format.capabilities;
    for (field, flag, chance) in [
        (Field::Audio, &mut record.audio, chances.audio),
        (Field::FullMotion, &mut record.full_motion, chances.full_motion),
        (Field::PartialMotion, &mut record.partial_motion, chances.partial_motion),
        (Field::Interactive, &mut record.interactive, chances.interactive),
        (Field::Rotating, &mut record.rotating, chances.rotating),
    ] {
        filled.insert(field, flag, Some(random.chance(chance)));
    }
}

fn fill_light(record: &mut Record<'_>, drawn: Light, filled: &mut Filled) {
    filled.name(Field::IlluminationType, &mut record.illumination_type, drawn.name);
    let said = record.illumination_type.as_ref().and_then(|named| named.name.as_deref()).unwrap_or_default();
    let Light { from, until, .. } = match light(said, record.digital == Some(true)) {
        Some(other) if !is_same(said, drawn.name) => other,
        _ => drawn,
    };
    let Record { illumination_start_time, illumination_end_time, .. } = record;
    filled.insert(Field::IlluminationStartTime, illumination_start_time, Some(from.into()));
    filled.insert(Field::IlluminationEndTime, illumination_end_time, Some(until.into()));
}

fn fill_construction(built: &mut ConstructionType<'_>, drawn: &'static str, filled: &mut Filled) {
    filled.insert(Field::ConstructionTypeName, &mut built.name, Some(drawn.into()));
    let id = built.name.as_deref().and_then(construction_id).map(Cow::Borrowed);
    filled.insert(Field::ConstructionTypeId, &mut built.id, id);
}

fn fill_layouts<'a>(
    record: &mut Record<'a>,
    (height, width): (i64, i64),
    turn: Loop,
    measurement: Option<&Measurement<'a>>,
    filled: &mut Filled,
) {
    let id = i64::from(record.spot_id.map_or(0, |id| id.raw()));
    // A display's layouts and spots have the same capabilities as the display.
    let whole = Spot {
        spot_share_of_voice: Some(Cow::Borrowed(turn.share)),
        spot_length: turn.seconds.filter(|_| record.digital == Some(true)).map(Some),
        max_frames: Some(Cow::Borrowed("1")),
        rotating: record.rotating,
        audio: record.audio,
        full_motion: record.full_motion,
        partial_motion: record.partial_motion,
        interactive: record.interactive,
        ..Spot::default()
    };
    let mut ids = id..;
    for (layout, layout_id) in at_least(1, record.layouts.get_or_insert_default()).iter_mut().zip(id..) {
        filled.insert(Field::LayoutId, &mut layout.id, Some(layout_id));
        fill_layout(layout, &whole, filled);
        for (face, face_id) in at_least(1, layout.faces.get_or_insert_default()).iter_mut().zip(id..) {
            let Face { id, width: face_width, height: face_height, spots, orientation: _ } = face;
            filled.insert(Field::FaceId, id, Some(face_id));
            filled.insert(Field::FaceWidth, face_width, Some(width));
            filled.insert(Field::FaceHeight, face_height, Some(height));
            for spot in at_least(turn.spots as usize, spots.get_or_insert_default()) {
                fill_spot(spot, ids.next(), &whole, measurement, filled);
            }
        }
    }
}

fn fill_layout<'a>(layout: &mut Layout<'a>, whole: &Spot<'a>, filled: &mut Filled) {
    for (field, flag, value) in [
        (Field::LayoutAudio, &mut layout.audio, whole.audio),
        (Field::LayoutFullMotion, &mut layout.full_motion, whole.full_motion),
        (Field::LayoutInteractive, &mut layout.interactive, whole.interactive),
        (Field::LayoutPartialMotion, &mut layout.partial_motion, whole.partial_motion),
        (Field::LayoutRotating, &mut layout.rotating, whole.rotating),
    ] {
        filled.insert(field, flag, value);
    }
    let share = &mut layout.spot_share_of_voice;
    filled.insert(Field::LayoutSpotShareOfVoice, share, whole.spot_share_of_voice.clone());
}

fn fill_spot<'a>(
    spot: &mut Spot<'a>,
    id: Option<i64>,
    whole: &Spot<'a>,
    measurement: Option<&Measurement<'a>>,
    filled: &mut Filled,
) {
    filled.insert(Field::FaceSpotId, &mut spot.id, id);
    filled.insert(Field::FaceSpotSpotLength, &mut spot.spot_length, whole.spot_length);
    for (field, flag, value) in [
        (Field::FaceSpotRotating, &mut spot.rotating, whole.rotating),
        (Field::FaceSpotAudio, &mut spot.audio, whole.audio),
        (Field::FaceSpotFullMotion, &mut spot.full_motion, whole.full_motion),
        (Field::FaceSpotPartialMotion, &mut spot.partial_motion, whole.partial_motion),
        (Field::FaceSpotInteractive, &mut spot.interactive, whole.interactive),
    ] {
        filled.insert(field, flag, value);
    }
    let share = &mut spot.spot_share_of_voice;
    filled.insert(Field::FaceSpotSpotShareOfVoice, share, whole.spot_share_of_voice.clone());
    filled.insert(Field::FaceSpotMaxFrames, &mut spot.max_frames, whole.max_frames.clone());
    let measures = spot.measures.get_or_insert_default();
    if let (true, Some((name, vintage))) = (measures.is_empty(), measurement) {
        measures.push([(name.clone(), vintage.clone())].into());
        filled.0 = filled.0.with(Field::FaceSpotMeasures);
    }
}

impl Filled {
    /// Fills in a member if it's missing.
    fn insert<T>(&mut self, field: Field, member: &mut Option<T>, value: Option<T>) {
        if member.is_none() && value.is_some() {
            *member = value;
            self.0 = self.0.with(field);
        }
    }

    /// Fills in a name if it's missing.
    fn name(&mut self, field: Field, named: &mut Option<Named<'_>>, name: &'static str) {
        self.insert(field, &mut named.get_or_insert_default().name, Some(name.into()));
    }
}

/// Fills an empty list with `count` default items. Doesn't change a list that has items.
fn at_least<T: Clone + Default>(count: usize, list: &mut Vec<T>) -> &mut Vec<T> {
    if list.is_empty() {
        list.resize(count, T::default());
    }
    list
}

/// Returns the directions of all faces with a known direction.
fn orientations(record: &Record<'_>) -> impl Iterator<Item = f64> {
    let faces = record.layouts.iter().flatten().flat_map(|layout| layout.faces.iter().flatten());
    faces.filter_map(|face| face.orientation)
}

/// Removes the word "Digital" from a media type such as `Digital Bulletin`.
fn without_digital(media_type: &str) -> &str {
    match media_type.split_once(' ') {
        Some((first, rest)) if first.eq_ignore_ascii_case("digital") => rest,
        _ => media_type,
    }
}

/// Returns whether two names are equal, ignoring case, spaces, hyphens, and underscores.
fn is_same(one: &str, other: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !matches!(byte, b' ' | b'-' | b'_')).map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}
