//! Finds spots by the media owners' own IDs. These IDs are part of the records, so only their digests are
//! stored here.

use zerocopy::little_endian::U32;

use super::id::SpotIndex;
use crate::derived_id;
use crate::release::ReleaseError;
use crate::release::file::{Ascending, FileWriter, Rows, SectionFile};

const DIGESTS: &str = "plant_spots.digests";
const SPOTS: &str = "plant_spots.spots";

/// The spots that have a media owner's own ID, sorted by the ID's digest.
#[derive(Clone, Debug)]
pub(super) struct PlantSpots {
    digests: Ascending,
    spots: Rows<U32>,
}

impl PlantSpots {
    pub(super) fn open(file: &SectionFile) -> Result<Self, ReleaseError> {
        Ok(Self { digests: file.ascending(DIGESTS)?, spots: file.rows(SPOTS)? })
    }

    /// Returns the spots whose ID has the same digest as `plant_spot_id`, in ascending order. Different IDs
    /// can have the same digest, so the caller must compare the IDs themselves.
    pub(super) fn candidates(&self, plant_spot_id: &str) -> impl Iterator<Item = SpotIndex> {
        let wanted = digest(plant_spot_id);
        let start = self.digests.partition_point(|other| other < wanted);
        let same = (start..).take_while(move |at| self.digests.get(*at) == Some(wanted));
        same.filter_map(|at| self.spots.get(at)).map(|spot| SpotIndex::from_raw(spot.get()))
    }

    /// Writes the digests of the IDs. `ids` contains the digest of each spot's ID, in spot order, or `None`
    /// for a spot without an ID.
    pub(super) fn write(file: &mut FileWriter, ids: impl Iterator<Item = Option<u32>>) {
        let mut sorted: Vec<(u32, u32)> =
            (0..).zip(ids).filter_map(|(spot, digest)| Some((digest?, spot))).collect();
        sorted.sort_unstable();
        file.ascending(DIGESTS, &sorted.iter().map(|(digest, _)| *digest).collect::<Vec<_>>());
        file.rows(SPOTS, &sorted.iter().map(|(_, spot)| U32::new(*spot)).collect::<Vec<_>>());
    }
}

/// Returns a 32-bit digest of a media owner's own ID.
pub(super) fn digest(plant_spot_id: &str) -> u32 {
    derived_id(&[plant_spot_id], 0..1 << 32) as u32
}
