//! The lists of the records, written.

use std::cmp::Reverse;

use foldhash::HashMap;
use zerocopy::little_endian::U32;

use super::id::SpotId;
use super::record::{Face, Layout, NamedPlace, Representation, Spot, Text};
use super::stored_lists::{
    StoredFace, StoredLayout, StoredLists, StoredNamed, StoredRepresentation, StoredSpot, UNKNOWN_LENGTH,
    packed,
};
use crate::release::file::FileWriter;

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

fn count(of: usize) -> u32 {
    u32::try_from(of).expect("less than 4 GiB of lists")
}
