//! The weekly visits to places, as a sort key.

use super::id::PlaceId;
use super::table::Places;

/// The weekly visits to each place of a release, in the order of the places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitsByPlace(Vec<u32>);

impl VisitsByPlace {
    /// Returns the weekly visits to a place, or 0 if they're unknown.
    pub(super) fn get(&self, place: u32) -> u32 {
        self.0.get(place as usize).copied().unwrap_or(0)
    }
}

impl Places {
    /// Converts visit counts from the order of the place IDs to the order of the places. `visits` must be in
    /// ascending order of the IDs. IDs that aren't in the release are skipped.
    pub fn by_place(&self, visits: impl Iterator<Item = (PlaceId, u32)>) -> VisitsByPlace {
        let mut by_place = vec![0; self.len()];
        let mut visits = visits.peekable();
        for place in self.by_id.iter().map(|place| place.get() as usize) {
            let id = PlaceId::from_raw(self.rows[place].id.get());
            while visits.next_if(|(other, _)| *other < id).is_some() {}
            if let Some((_, count)) = visits.next_if(|(other, _)| *other == id) {
                by_place[place] = count;
            }
        }
        VisitsByPlace(by_place)
    }
}
