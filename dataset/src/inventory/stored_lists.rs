//! The lists of a record as its run of bytes has them.

use serde::{Deserialize, Serialize};

/// A record's lists in the file: repeated texts by their numbers, and ids by their distance from the record's
/// own.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredLists<'a> {
    #[serde(borrow)]
    pub(super) layouts: Option<Vec<StoredLayout<'a>>>,
    pub(super) representations: Option<Vec<Vec<StoredRepresentation>>>,
    pub(super) places: Option<Vec<Option<u32>>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredLayout<'a> {
    pub(super) id: Option<i64>,
    pub(super) flags: u8,
    pub(super) spot_share_of_voice: Option<u32>,
    #[serde(borrow)]
    pub(super) faces: Option<Vec<StoredFace<'a>>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredFace<'a> {
    pub(super) id: Option<i64>,
    pub(super) width: Option<i64>,
    pub(super) height: Option<i64>,
    #[serde(borrow)]
    pub(super) spots: Option<Vec<StoredSpot<'a>>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredSpot<'a> {
    pub(super) id: Option<i64>,
    pub(super) plant_spot_id: Option<&'a str>,
    pub(super) spot_share_of_voice: Option<u32>,
    /// Where it is said not to be known, [`UNKNOWN_LENGTH`].
    pub(super) spot_length: Option<i64>,
    pub(super) max_frames: Option<u32>,
    pub(super) flags: u8,
    pub(super) measures: Option<Vec<Vec<(u32, u32)>>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredRepresentation {
    pub(super) account: Option<[Option<u32>; 2]>,
    pub(super) representation_type: Option<StoredNamed>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct StoredNamed {
    pub(super) name: Option<u32>,
}

/// How the file says that a spot's length is not known. No length is negative, and every other way to say it
/// would cost each spot a byte.
pub(super) const UNKNOWN_LENGTH: i64 = -1;

impl StoredLists<'_> {
    /// Shows the number of every text that is referred to.
    pub(super) fn each_number(&mut self, mut see: impl FnMut(&mut u32)) {
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

/// Puts five flags, each of which may be absent, into one byte: 3 to the power of 5 is 243.
pub(super) fn packed(flags: [Option<bool>; 5]) -> u8 {
    flags.into_iter().rev().fold(0, |byte, flag| byte * 3 + flag.map_or(0, |flag| 1 + u8::from(flag)))
}

/// Takes the five flags out of their byte.
pub(super) fn unpacked(byte: u8) -> [Option<bool>; 5] {
    let mut rest = byte;
    [(); 5].map(|()| {
        let digit = rest % 3;
        rest /= 3;
        (digit > 0).then_some(digit == 2)
    })
}
