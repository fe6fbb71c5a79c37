//! The visits of each place by its position, to sort by them.

use super::id::PlaceId;
use super::table::Places;

/// The visits of a week at each place of a release, by the places' positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitsByPlace(Vec<u32>);

impl VisitsByPlace {
    /// Returns one number for each place: its visits, and 0 where they are not known.
    pub(super) fn get(&self, place: u32) -> u32 {
        self.0.get(place as usize).copied().unwrap_or(0)
    }
}

impl Places {
    /// Puts counts of visits, which come by ascending ids, in the order of the places. What is no place of
    /// the release is passed over.
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
