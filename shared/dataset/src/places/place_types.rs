//! Which types of places there are.

use super::place::PlaceIndex;
use super::table::Places;

/// A type of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceType<'a> {
    /// Follows from the name.
    pub id: u32,
    /// As the first place of the type has it.
    pub name: &'a str,
    /// How many places are of the type.
    pub count: usize,
}

impl Places {
    /// Returns the types of which there are places, by their folded names.
    pub fn place_types(&self) -> impl Iterator<Item = PlaceType<'_>> {
        (0..).zip(&*self.type_ids).filter_map(|(at, id)| {
            let places = self.types.postings().get(at);
            let first = self.get(PlaceIndex::from_raw(places.iter().next()?));
            Some(PlaceType { id: id.get(), name: first.place_type, count: places.len() })
        })
    }

    /// Tells whether there are places of a type, by its folded name.
    pub fn has_type(&self, folded_name: &str) -> bool {
        !self.types.values().find(folded_name).is_empty()
    }
}
