//! The place types, states, cities, and brands in a release.

use super::place::{Place, PlaceIndex};
use super::table::Places;
use crate::geographies::state_forms;
use crate::index::{Set, TextColumn};

/// A type of place, such as a coffee shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceType<'a> {
    /// The ID, which is derived from the normalized name.
    pub id: u32,
    /// The name of the type, as spelled in the first place of this type.
    pub name: &'a str,
    /// The number of places of this type.
    pub count: usize,
}

/// A chain and the number of its places, by type and by state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brand<'a> {
    /// The name of the chain, as spelled in its first place.
    pub name: &'a str,
    /// The number of the chain's places.
    pub count: usize,
    /// The types of the chain's places. The counts include only the chain's places.
    pub place_types: Vec<PlaceType<'a>>,
    /// The number of the chain's places in each state and foreign region where the release has places. Counts
    /// can be 0.
    pub by_state: Vec<(&'a str, usize)>,
}

impl Places {
    /// Returns all types that have places, sorted by normalized name.
    pub fn place_types(&self) -> impl Iterator<Item = PlaceType<'_>> {
        let types = self.first_places(&self.types);
        types.map(|(first, count)| PlaceType { id: first.place_type_id, name: first.place_type, count })
    }

    /// Returns whether any place has the type with the given normalized name.
    pub fn has_type(&self, normalized_name: &str) -> bool {
        !self.types.values().find(normalized_name).is_empty()
    }

    /// Returns whether any place is in the state or foreign region with the given normalized name. For a
    /// state, the normalized abbreviation is also accepted.
    pub fn has_state(&self, normalized_name: &str) -> bool {
        state_forms(normalized_name).into_iter().any(|form| !self.states.values().find(form).is_empty())
    }

    /// Returns the names of all cities that have places, sorted by normalized name.
    pub fn city_names(&self) -> impl Iterator<Item = &str> {
        self.first_places(&self.cities).map(|(first, _)| first.city)
    }

    /// Returns the names of all brands, sorted by normalized name.
    pub fn brand_names(&self) -> impl Iterator<Item = &str> {
        self.first_places(&self.brands).filter_map(|(first, _)| first.brand)
    }

    /// Returns all brands, sorted by normalized name.
    pub fn brands(&self) -> impl Iterator<Item = Brand<'_>> {
        let types: Vec<_> = self.place_types().collect();
        let states: Vec<_> = self.first_places(&self.states).map(|(first, _)| first.state).collect();
        (0..).zip(self.brand_names()).map(move |(brand, name)| {
            let places = self.brands.postings().get(brand);
            let by_type = types.iter().zip(counts(&self.types, &places));
            let by_state = states.iter().copied().zip(counts(&self.states, &places));
            Brand {
                name,
                count: places.len(),
                place_types: by_type
                    .filter(|(_, count)| *count > 0)
                    .map(|(one, count)| PlaceType { count, ..*one })
                    .collect(),
                by_state: by_state.filter(|(state, _)| !state.is_empty()).collect(),
            }
        })
    }

    /// Returns whether any place has the brand with the given normalized name.
    pub fn has_brand(&self, normalized_name: &str) -> bool {
        !self.brands.values().find(normalized_name).is_empty()
    }

    /// Returns, for each value in a column, the first place with the value and the number of places with it.
    fn first_places<'a>(&'a self, column: &'a TextColumn) -> impl Iterator<Item = (Place<'a>, usize)> {
        (0..column.values().len()).filter_map(|value| {
            let places = column.postings().get(value as u32);
            let first = places.iter().next()?;
            Some((self.get(PlaceIndex::from_raw(first)), places.len()))
        })
    }
}

/// Counts the given places by value. The result has one count for each value in the column.
fn counts(column: &TextColumn, places: &Set<'_>) -> Vec<usize> {
    let mut counts = vec![0; column.values().len()];
    for value in places.iter().filter_map(|place| column.ordinal(place)) {
        counts[value as usize] += 1;
    }
    counts
}
