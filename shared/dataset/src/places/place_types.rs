//! The types, states, and brands of places in a release.

use super::place::PlaceIndex;
use super::table::Places;
use crate::geographies::state_forms;

/// A type of place, such as a coffee shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceType<'a> {
    /// The id, which is derived from the normalized name.
    pub id: u32,
    /// The name of the type, in the spelling of the first place of this type.
    pub name: &'a str,
    /// The number of places of this type.
    pub count: usize,
}

impl Places {
    /// Returns all types that have places, in the order of their normalized names.
    pub fn place_types(&self) -> impl Iterator<Item = PlaceType<'_>> {
        (0..).zip(&*self.type_ids).filter_map(|(at, id)| {
            let places = self.types.postings().get(at);
            let first = self.get(PlaceIndex::from_raw(places.iter().next()?));
            Some(PlaceType { id: id.get(), name: first.place_type, count: places.len() })
        })
    }

    /// Returns whether any place has the type with the given normalized name.
    pub fn has_type(&self, normalized_name: &str) -> bool {
        !self.types.values().find(normalized_name).is_empty()
    }

    /// Returns whether any place is in this state or foreign region. Expects a normalized name.
    pub fn has_state(&self, normalized_name: &str) -> bool {
        state_forms(normalized_name).into_iter().any(|form| !self.states.values().find(form).is_empty())
    }

    /// Returns the normalized brands of all places, in order.
    pub fn brands(&self) -> impl Iterator<Item = &str> {
        let brands = self.brands.values();
        (0..brands.len()).map(|at| brands.get(at as u32))
    }

    /// Returns whether any place has this brand. Expects a normalized name.
    pub fn has_brand(&self, normalized_name: &str) -> bool {
        !self.brands.values().find(normalized_name).is_empty()
    }
}
