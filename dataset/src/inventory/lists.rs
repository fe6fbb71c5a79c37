//! The lists of the records: layouts, representations and places, each record's in one run of bytes.

use std::borrow::Cow;

use zerocopy::little_endian::U32;

use super::field::Field;
use super::field_set::FieldSet;
use super::id::SpotId;
use super::record::{Account, Face, Layout, Named, NamedPlace, Representation, Spot, Text};
use super::stored_lists::{
    StoredFace, StoredLayout, StoredLists, StoredNamed, StoredRepresentation, StoredSpot, UNKNOWN_LENGTH,
    unpacked,
};
use crate::release::ReleaseError;
use crate::release::file::{Rows, SectionFile, Texts};

/// What is asked for of a record's lists.
#[derive(Debug, Default)]
pub(super) struct Lists<'a> {
    pub(super) layouts: Option<Vec<Layout<'a>>>,
    pub(super) representations: Option<Vec<Vec<Representation<'a>>>>,
    pub(super) places: Option<Vec<NamedPlace<'a>>>,
}

/// The lists of all records, in their file.
#[derive(Clone, Debug)]
pub(super) struct ListsFile {
    texts: Texts,
    ends: Rows<U32>,
    bytes: Rows<u8>,
}

impl ListsFile {
    /// Opens the lists of so many records.
    pub(super) fn open(file: &SectionFile, records: usize) -> Result<Self, ReleaseError> {
        let ends: Rows<U32> = file.rows("lists.ends")?;
        if ends.len() != records {
            return Err(file.inconsistent(format!("lists: has {} values; expected {records}", ends.len())));
        }
        Ok(Self { texts: file.texts("lists.text")?, ends, bytes: file.rows("lists")? })
    }

    /// Returns what is asked for of a spot's lists; `None` when its bytes are not what was written.
    pub(super) fn get(&self, spot: u32, id: SpotId, fields: FieldSet) -> Option<Lists<'_>> {
        if !fields.has(Field::LocationPlaces) && !fields.has_any(FieldSet::LONG_LISTS) {
            return Some(Lists::default());
        }
        let spot = spot as usize;
        let start = spot.checked_sub(1).map_or(0, |before| self.ends[before].get());
        let bytes = self.bytes.get(start as usize..self.ends[spot].get() as usize)?;
        let stored: StoredLists<'_> = postcard::from_bytes(bytes).ok()?;
        let reading = Reading { texts: &self.texts, id: i64::from(id.raw()), fields };
        Some(reading.lists(stored))
    }

    /// Returns how many bytes a spot's lists have here; written out they are some ten to thirty times as
    /// many.
    pub(super) fn bytes(&self, spot: u32) -> usize {
        let spot = spot as usize;
        let start = spot.checked_sub(1).map_or(0, |before| self.ends[before].get());
        self.ends[spot].get().saturating_sub(start) as usize
    }

    /// Whether all texts are there, and all lists refer to them.
    pub(super) fn are_sound(&self) -> bool {
        let is_sound = |spot: usize| {
            let start = spot.checked_sub(1).map_or(0, |before| self.ends[before].get());
            let bytes = self.bytes.get(start as usize..self.ends[spot].get() as usize)?;
            let mut stored: StoredLists<'_> = postcard::from_bytes(bytes).ok()?;
            let mut are_there = true;
            stored.each_number(|text| are_there &= (*text as usize) < self.texts.len());
            are_there.then_some(())
        };
        let is_whole = self.ends.last().map_or(0, |end| end.get() as usize) == self.bytes.len();
        is_whole && self.texts.are_sound() && (0..self.ends.len()).all(|spot| is_sound(spot).is_some())
    }
}

const LAYOUTS: FieldSet = FieldSet::at("layouts").expect("a path");
const FACES: FieldSet = FieldSet::at("layouts.faces").expect("a path");
const SPOTS: FieldSet = FieldSet::at("layouts.faces.spots").expect("a path");
const REPRESENTATIONS: FieldSet = FieldSet::at("representations").expect("a path");
const ACCOUNT: FieldSet = FieldSet::at("representations.account").expect("a path");

/// How the lists of one record are read.
struct Reading<'a> {
    texts: &'a Texts,
    id: i64,
    fields: FieldSet,
}

impl<'a> Reading<'a> {
    fn lists(&self, stored: StoredLists<'a>) -> Lists<'a> {
        let StoredLists { layouts, representations, places } = stored;
        let layouts = layouts.filter(|_| self.fields.has_any(LAYOUTS));
        let representations = representations.filter(|_| self.fields.has_any(REPRESENTATIONS));
        let places = places.filter(|_| self.fields.has(Field::LocationPlaces));
        let of_account = |group: Vec<StoredRepresentation>| {
            group.into_iter().map(|one| self.representation(&one)).collect()
        };
        let place = |name| NamedPlace { place_name: self.text(Field::LocationPlaces, name) };
        Lists {
            layouts: layouts.map(|layouts| layouts.into_iter().map(|layout| self.layout(layout)).collect()),
            representations: representations.map(|groups| groups.into_iter().map(of_account).collect()),
            places: places.map(|places| places.into_iter().map(place).collect()),
        }
    }

    fn layout(&self, stored: StoredLayout<'a>) -> Layout<'a> {
        let StoredLayout { id, flags, spot_share_of_voice, faces } = stored;
        let [audio, full_motion, interactive, partial_motion, rotating] = unpacked(flags);
        let faces = faces.filter(|_| self.fields.has_any(FACES));
        Layout {
            id: self.id(Field::LayoutId, id),
            audio: self.pick(Field::LayoutAudio, audio),
            full_motion: self.pick(Field::LayoutFullMotion, full_motion),
            interactive: self.pick(Field::LayoutInteractive, interactive),
            partial_motion: self.pick(Field::LayoutPartialMotion, partial_motion),
            rotating: self.pick(Field::LayoutRotating, rotating),
            spot_share_of_voice: self.text(Field::LayoutSpotShareOfVoice, spot_share_of_voice),
            faces: faces.map(|faces| faces.into_iter().map(|face| self.face(face)).collect()),
        }
    }

    fn face(&self, stored: StoredFace<'a>) -> Face<'a> {
        let StoredFace { id, width, height, spots } = stored;
        let spots = spots.filter(|_| self.fields.has_any(SPOTS));
        Face {
            id: self.id(Field::FaceId, id),
            width: self.pick(Field::FaceWidth, width),
            height: self.pick(Field::FaceHeight, height),
            spots: spots.map(|spots| spots.into_iter().map(|spot| self.spot(spot)).collect()),
        }
    }

    fn spot(&self, stored: StoredSpot<'a>) -> Spot<'a> {
        let StoredSpot { id, plant_spot_id, spot_share_of_voice, spot_length, max_frames, flags, measures } =
            stored;
        let [audio, full_motion, interactive, partial_motion, rotating] = unpacked(flags);
        let known = |number: u32| Cow::Borrowed(self.texts.get(number as usize));
        let measure = |pairs: Vec<(u32, u32)>| {
            pairs.into_iter().map(|(name, vintage)| (known(name), known(vintage))).collect()
        };
        let measures = self.pick(Field::FaceSpotMeasures, measures);
        Spot {
            id: self.id(Field::FaceSpotId, id),
            plant_spot_id: self.pick(Field::FaceSpotPlantSpotId, plant_spot_id).map(Cow::Borrowed),
            spot_share_of_voice: self.text(Field::FaceSpotSpotShareOfVoice, spot_share_of_voice),
            spot_length: self
                .pick(Field::FaceSpotSpotLength, spot_length)
                .map(|length| Some(length).filter(|length| *length != UNKNOWN_LENGTH)),
            max_frames: self.text(Field::FaceSpotMaxFrames, max_frames),
            rotating: self.pick(Field::FaceSpotRotating, rotating),
            audio: self.pick(Field::FaceSpotAudio, audio),
            full_motion: self.pick(Field::FaceSpotFullMotion, full_motion),
            partial_motion: self.pick(Field::FaceSpotPartialMotion, partial_motion),
            interactive: self.pick(Field::FaceSpotInteractive, interactive),
            measures: measures.map(|measures| measures.into_iter().map(measure).collect()),
        }
    }

    fn representation(&self, stored: &StoredRepresentation) -> Representation<'a> {
        let StoredRepresentation { account, representation_type } = stored;
        let account = account.filter(|_| self.fields.has_any(ACCOUNT)).map(|[name, parent]| Account {
            name: self.text(Field::AccountName, name),
            parent_account_name: self.text(Field::ParentAccountName, parent),
        });
        let representation_type = self.pick(Field::RepresentationType, *representation_type);
        let named = |stored: StoredNamed| Named { name: self.text(Field::RepresentationType, stored.name) };
        Representation { account, representation_type: representation_type.map(named) }
    }

    fn pick<T>(&self, field: Field, value: Option<T>) -> Option<T> {
        value.filter(|_| self.fields.has(field))
    }

    fn id(&self, field: Field, distance: Option<i64>) -> Option<i64> {
        self.pick(field, distance).map(|distance| distance.wrapping_add(self.id))
    }

    fn text(&self, field: Field, number: Option<u32>) -> Option<Text<'a>> {
        self.pick(field, number).map(|number| Cow::Borrowed(self.texts.get(number as usize)))
    }
}
