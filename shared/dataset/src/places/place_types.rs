//! The types of places in a release.

use super::place::PlaceIndex;
use super::table::Places;

/// A type of places, such as coffee shops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceType<'a> {
    /// Derived from the name.
    pub id: u32,
    /// The name as the first place of the type spells it.
    pub name: &'a str,
    /// The number of places of this type.
    pub count: usize,
}

impl Places {
    /// Returns every type that has places, in the order of the normalized names.
    pub fn place_types(&self) -> impl Iterator<Item = PlaceType<'_>> {
        (0..).zip(&*self.type_ids).filter_map(|(at, id)| {
            let places = self.types.postings().get(at);
            let first = self.get(PlaceIndex::from_raw(places.iter().next()?));
            Some(PlaceType { id: id.get(), name: first.place_type, count: places.len() })
        })
    }

    /// Returns whether any place has this type. Expects a normalized name.
    pub fn has_type(&self, normalized_name: &str) -> bool {
        !self.types.values().find(normalized_name).is_empty()
    }
}
