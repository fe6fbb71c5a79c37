//! Fills in missing members of a record, without changing existing members.

use std::borrow::Cow;

use dataset::inventory::record::{ConstructionType, Face, Layout, Named, PlaceRef, Record, Spot, Text};

use super::formats::{FORMATS, Format, Light, Loop, construction_id, light};
use crate::random_stream::{Purpose, RandomStream};

/// The status of a spot whose audience has been measured.
pub(crate) const MEASURED: &str = "Published - Measured";

/// The name and the vintage (`YYYYMMDD`) of a measurement.
pub(crate) type Measurement<'a> = (Text<'a>, Text<'a>);

/// Fills in the missing members of an imported spot with values that are typical of its media type, and adds
/// a measurement named `modelled` with the given vintage (`YYYYMMDD`). The same spot always gets the same
/// values. A missing position, media owner, or media owner's ID for the spot isn't filled in.
pub(crate) fn complete(record: &mut Record<'static>, vintage: &str) {
    let id = record.spot_id.map_or(0, |id| id.raw());
    let mut random = RandomStream::of(0, Purpose::Completion, id.into());
    let format = format_of(record, &mut random);
    fill(record, format, &mut random, &(Cow::Borrowed("modelled"), Cow::Owned(vintage.to_owned())));
}

/// Returns the format that contradicts the fewest members of a record.
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

/// Fills in the missing members of a record with typical values for a display format. Adds a measurement only
/// if the record's status is [`MEASURED`].
pub(crate) fn fill<'a>(
    record: &mut Record<'a>,
    format: &'static Format,
    random: &mut RandomStream,
    measurement: &Measurement<'a>,
) {
    // All random numbers are drawn, even if they aren't needed, so that an existing member doesn't affect the
    // values of other members.
    let [construction, placement] =
        [format.constructions, format.placements].map(|names| *random.pick(names));
    let (light, size) = (*random.pick(format.lights), *random.pick(format.sizes));
    let turn = *random.pick(format.loops);
    let orientation = random.below(360) as f64;
    fill_flags(record, format, random);
    name(&mut record.media_type, format.media_type);
    name(&mut record.classification_type, format.classification);
    name(&mut record.placement_type, placement);
    name(&mut record.status_type, MEASURED);
    fill_light(record, light);
    let built = record.construction.get_or_insert_default().construction_type.get_or_insert_default();
    fill_construction(built, construction);
    if let Some(location) = &mut record.location {
        location.orientation.get_or_insert(orientation);
    }
    let PlaceRef { place_id, place_name } = record.place.get_or_insert_default();
    for text in [place_id, place_name] {
        text.get_or_insert_default();
    }
    fill_layouts(record, size, turn, measurement);
}

fn fill_flags(record: &mut Record<'_>, format: &Format, random: &mut RandomStream) {
    record.digital.get_or_insert(format.digital);
    let chances = format.capabilities;
    record.audio.get_or_insert(random.chance(chances.audio));
    record.full_motion.get_or_insert(random.chance(chances.full_motion));
    record.partial_motion.get_or_insert(random.chance(chances.partial_motion));
    record.interactive.get_or_insert(random.chance(chances.interactive));
    record.rotating.get_or_insert(random.chance(chances.rotating));
}

fn fill_light(record: &mut Record<'_>, drawn: Light) {
    name(&mut record.illumination_type, drawn.name);
    let said = record.illumination_type.as_ref().and_then(|named| named.name.as_deref()).unwrap_or_default();
    let Light { from, until, .. } = match light(said, record.digital == Some(true)) {
        Some(other) if !is_same(said, drawn.name) => other,
        _ => drawn,
    };
    record.illumination_start_time.get_or_insert(Cow::Borrowed(from));
    record.illumination_end_time.get_or_insert(Cow::Borrowed(until));
}

fn fill_construction(built: &mut ConstructionType<'_>, drawn: &'static str) {
    let said = built.name.get_or_insert(Cow::Borrowed(drawn));
    if let Some(id) = construction_id(said) {
        built.id.get_or_insert(Cow::Borrowed(id));
    }
}

fn fill_layouts<'a>(
    record: &mut Record<'a>,
    (height, width): (i64, i64),
    turn: Loop,
    measurement: &Measurement<'a>,
) {
    let status = record.status_type.as_ref().and_then(|status| status.name.as_deref());
    let measurement = Some(measurement).filter(|_| status.is_some_and(|status| is_same(status, MEASURED)));
    let id = i64::from(record.spot_id.map_or(0, |id| id.raw()));
    // The layouts of a display and their spots have the same capabilities as the display.
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
        layout.id.get_or_insert(layout_id);
        fill_layout(layout, &whole);
        for (face, face_id) in at_least(1, layout.faces.get_or_insert_default()).iter_mut().zip(id..) {
            let Face { id, width: face_width, height: face_height, spots, .. } = face;
            id.get_or_insert(face_id);
            face_width.get_or_insert(width);
            face_height.get_or_insert(height);
            for spot in at_least(turn.spots as usize, spots.get_or_insert_default()) {
                fill_spot(spot, &mut ids, &whole, measurement);
            }
        }
    }
}

fn fill_layout<'a>(layout: &mut Layout<'a>, whole: &Spot<'a>) {
    layout.audio = layout.audio.or(whole.audio);
    layout.full_motion = layout.full_motion.or(whole.full_motion);
    layout.interactive = layout.interactive.or(whole.interactive);
    layout.partial_motion = layout.partial_motion.or(whole.partial_motion);
    layout.rotating = layout.rotating.or(whole.rotating);
    fill_text(&mut layout.spot_share_of_voice, &whole.spot_share_of_voice);
}

fn fill_spot<'a>(
    spot: &mut Spot<'a>,
    ids: &mut impl Iterator<Item = i64>,
    whole: &Spot<'a>,
    measurement: Option<&Measurement<'a>>,
) {
    let drawn = ids.next();
    spot.id = spot.id.or(drawn);
    spot.spot_length = spot.spot_length.or(whole.spot_length);
    spot.rotating = spot.rotating.or(whole.rotating);
    spot.audio = spot.audio.or(whole.audio);
    spot.full_motion = spot.full_motion.or(whole.full_motion);
    spot.partial_motion = spot.partial_motion.or(whole.partial_motion);
    spot.interactive = spot.interactive.or(whole.interactive);
    fill_text(&mut spot.spot_share_of_voice, &whole.spot_share_of_voice);
    fill_text(&mut spot.max_frames, &whole.max_frames);
    let measures = spot.measures.get_or_insert_default();
    if let (true, Some((name, vintage))) = (measures.is_empty(), measurement) {
        measures.push([(name.clone(), vintage.clone())].into());
    }
}

/// Fills an empty list with `count` default items. A list with items stays unchanged.
fn at_least<T: Clone + Default>(count: usize, list: &mut Vec<T>) -> &mut Vec<T> {
    if list.is_empty() {
        list.resize(count, T::default());
    }
    list
}

fn name(named: &mut Option<Named<'_>>, name: &'static str) {
    named.get_or_insert_default().name.get_or_insert(Cow::Borrowed(name));
}

fn fill_text<'a>(text: &mut Option<Text<'a>>, with: &Option<Text<'a>>) {
    if text.is_none() {
        text.clone_from(with);
    }
}

/// Returns the type of media that a digital one such as `Digital Bulletin` corresponds to.
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
