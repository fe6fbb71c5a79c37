//! The lists of the records: layouts, representations and places, each record's in one run of bytes.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use zerocopy::little_endian::U32;

use super::field::Field;
use super::field_set::FieldSet;
use super::id::SpotId;
use super::record::{Account, Face, Layout, Named, NamedPlace, Representation, Spot, Text};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, Texts};

/// What is asked for of a record's lists.
#[derive(Debug, Default)]
pub(super) struct Lists<'a> {
    pub(super) layouts: Option<Vec<Layout<'a>>>,
    pub(super) representations: Option<Vec<Vec<Representation<'a>>>>,
    pub(super) places: Option<Vec<NamedPlace<'a>>>,
}

/// A record's lists in the file: repeated texts by their numbers, and ids by their distance from the record's
/// own.
#[derive(Debug, Serialize, Deserialize)]
struct StoredLists<'a> {
    #[serde(borrow)]
    layouts: Option<Vec<StoredLayout<'a>>>,
    representations: Option<Vec<Vec<StoredRepresentation>>>,
    places: Option<Vec<Option<u32>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredLayout<'a> {
    id: Option<i64>,
    flags: u8,
    spot_share_of_voice: Option<u32>,
    #[serde(borrow)]
    faces: Option<Vec<StoredFace<'a>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredFace<'a> {
    id: Option<i64>,
    width: Option<i64>,
    height: Option<i64>,
    #[serde(borrow)]
    spots: Option<Vec<StoredSpot<'a>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredSpot<'a> {
    id: Option<i64>,
    plant_spot_id: Option<&'a str>,
    spot_share_of_voice: Option<u32>,
    /// Where it is said not to be known, [`UNKNOWN_LENGTH`].
    spot_length: Option<i64>,
    max_frames: Option<u32>,
    flags: u8,
    measures: Option<Vec<Vec<(u32, u32)>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredRepresentation {
    account: Option<[Option<u32>; 2]>,
    representation_type: Option<StoredNamed>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct StoredNamed {
    name: Option<u32>,
}

/// How the file says that a spot's length is not known. No length is negative, and every other way to say it
/// would cost each spot a byte.
const UNKNOWN_LENGTH: i64 = -1;

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

impl StoredLists<'_> {
    /// Shows the number of every text that is referred to.
    fn each_number(&mut self, mut see: impl FnMut(&mut u32)) {
        for layout in self.layouts.iter_mut().flatten() {
            layout.spot_share_of_voice.iter_mut().for_each(&mut see);
            for spot in layout.faces.iter_mut().flatten().flat_map(|face| face.spots.iter_mut().flatten()) {
                spot.spot_share_of_voice.iter_mut().chain(&mut spot.max_frames).for_each(&mut see);
                for (name, vintage) in spot.measures.iter_mut().flatten().flatten() {
                    see(name);
                    see(vintage);
                }
            }
        }
        for representation in self.representations.iter_mut().flatten().flatten() {
            representation.account.iter_mut().flatten().flatten().for_each(&mut see);
            representation
                .representation_type
                .iter_mut()
                .filter_map(|kind| kind.name.as_mut())
                .for_each(&mut see);
        }
        self.places.iter_mut().flatten().flatten().for_each(see);
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

/// Collects the lists of records.
#[derive(Debug, Default)]
pub(super) struct ListsWriter {
    /// The texts in the order in which they came, and how often each did.
    texts: Vec<(Box<str>, u64)>,
    numbers: HashMap<Box<str>, u32>,
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl ListsWriter {
    pub(super) fn push(
        &mut self,
        id: SpotId,
        layouts: Option<&[Layout<'_>]>,
        representations: Option<&[Vec<Representation<'_>>]>,
        places: Option<&[NamedPlace<'_>]>,
    ) {
        let id = i64::from(id.raw());
        let stored = StoredLists {
            layouts: all(layouts, |layout| self.layout(id, layout)),
            representations: all(representations, |group| {
                group.iter().map(|one| self.representation(one)).collect::<Vec<_>>()
            }),
            places: all(places, |place| self.text(&place.place_name)),
        };
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(&stored, bytes).expect("lists are written into memory");
        self.ends.push(self.bytes.len());
    }

    /// Writes the lists in another order than that in which they came. The texts that are everywhere come
    /// first, and have short numbers.
    pub(super) fn write(&self, file: &mut FileWriter, order: &[u32]) {
        let mut texts: Vec<u32> = (0..count(self.texts.len())).collect();
        texts.sort_unstable_by_key(|number| {
            let (text, uses) = &self.texts[*number as usize];
            (Reverse(*uses), text)
        });
        let mut numbers = vec![0; texts.len()];
        for (number, old) in (0..).zip(&texts) {
            numbers[*old as usize] = number;
        }
        let (mut ends, mut bytes) = (Vec::with_capacity(order.len()), Vec::with_capacity(self.bytes.len()));
        for at in order {
            let at = *at as usize;
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            let mut stored: StoredLists<'_> = postcard::from_bytes(&self.bytes[start..self.ends[at]])
                .expect("lists that were just written");
            stored.each_number(|number| *number = numbers[*number as usize]);
            bytes = postcard::to_extend(&stored, bytes).expect("lists are written into memory");
            ends.push(U32::new(count(bytes.len())));
        }
        file.texts("lists.text", texts.iter().map(|number| &*self.texts[*number as usize].0));
        file.rows("lists.ends", &ends);
        file.bytes("lists", bytes);
    }

    fn layout<'a>(&mut self, record: i64, layout: &'a Layout<'_>) -> StoredLayout<'a> {
        let Layout {
            id,
            audio,
            full_motion,
            interactive,
            partial_motion,
            rotating,
            spot_share_of_voice,
            faces,
        } = layout;
        StoredLayout {
            id: id.map(|id| id.wrapping_sub(record)),
            flags: packed([*audio, *full_motion, *interactive, *partial_motion, *rotating]),
            spot_share_of_voice: self.text(spot_share_of_voice),
            faces: all(faces.as_deref(), |face| self.face(record, face)),
        }
    }

    fn face<'a>(&mut self, record: i64, face: &'a Face<'_>) -> StoredFace<'a> {
        let Face { id, width, height, spots } = face;
        StoredFace {
            id: id.map(|id| id.wrapping_sub(record)),
            width: *width,
            height: *height,
            spots: all(spots.as_deref(), |spot| self.spot(record, spot)),
        }
    }

    fn spot<'a>(&mut self, record: i64, spot: &'a Spot<'_>) -> StoredSpot<'a> {
        let Spot {
            id,
            plant_spot_id,
            spot_share_of_voice,
            spot_length,
            max_frames,
            rotating,
            audio,
            full_motion,
            partial_motion,
            interactive,
            measures,
        } = spot;
        StoredSpot {
            id: id.map(|id| id.wrapping_sub(record)),
            plant_spot_id: plant_spot_id.as_deref(),
            spot_share_of_voice: self.text(spot_share_of_voice),
            spot_length: spot_length.map(|length| length.unwrap_or(UNKNOWN_LENGTH)),
            max_frames: self.text(max_frames),
            flags: packed([*audio, *full_motion, *interactive, *partial_motion, *rotating]),
            measures: all(measures.as_deref(), |measure| {
                measure.iter().map(|(name, vintage)| (self.number(name), self.number(vintage))).collect()
            }),
        }
    }

    fn representation(&mut self, representation: &Representation<'_>) -> StoredRepresentation {
        let Representation { account, representation_type } = representation;
        let account = account.as_ref();
        StoredRepresentation {
            account: account
                .map(|account| [self.text(&account.name), self.text(&account.parent_account_name)]),
            representation_type: representation_type
                .as_ref()
                .map(|named| StoredNamed { name: self.text(&named.name) }),
        }
    }

    fn text(&mut self, text: &Option<Text<'_>>) -> Option<u32> {
        text.as_deref().map(|text| self.number(text))
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            self.texts[*number as usize].1 += 1;
            return *number;
        }
        let number = count(self.texts.len());
        self.texts.push((text.into(), 1));
        self.numbers.insert(text.into(), number);
        number
    }
}

fn all<'a, T, U>(items: Option<&'a [T]>, of: impl FnMut(&'a T) -> U) -> Option<Vec<U>> {
    items.map(|items| items.iter().map(of).collect())
}

/// Puts five flags, each of which may be absent, into one byte: 3 to the power of 5 is 243.
fn packed(flags: [Option<bool>; 5]) -> u8 {
    flags.into_iter().rev().fold(0, |byte, flag| byte * 3 + flag.map_or(0, |flag| 1 + u8::from(flag)))
}

fn unpacked(byte: u8) -> [Option<bool>; 5] {
    let mut rest = byte;
    [(); 5].map(|()| {
        let digit = rest % 3;
        rest /= 3;
        (digit > 0).then_some(digit == 2)
    })
}

fn count(of: usize) -> u32 {
    u32::try_from(of).expect("less than 4 GiB of lists")
}
