//! Searches for places. Each criterion selects a set of places, and the result is the intersection of these
//! sets.

use std::collections::BTreeSet;

use super::areas::of_any;
use super::place::PlaceIndex;
use super::query::{Found, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey};
use super::table::Places;
use crate::geographies::state_forms;
use crate::index::{DistanceOrder, Order, Pattern, Set, normalize, split_words};
use crate::position::Position;

/// If fewer than one in `FEW` places meet all other criteria, the address is checked for each of these
/// places.
const FEW: usize = 16;

impl Places {
    pub fn search(&self, query: &PlaceQuery<'_>) -> Found {
        let mut found = Set::intersection(self.criteria(query), self.len());
        if let Some(address) = &query.address {
            found = self.with_address(found, &normalize(address));
        }
        Found { total: found.len(), places: self.page(&found, query) }
    }

    /// Returns the sets of places that meet the criteria, except for the address.
    fn criteria(&self, query: &PlaceQuery<'_>) -> Vec<Set<'_>> {
        let PlaceQuery {
            place_name,
            place_ids,
            place_type_ids,
            place_type_name,
            brand,
            // The address is checked last, and only for places that meet all other criteria.
            address: _,
            city,
            state,
            zip_code,
            dmas,
            counties,
            circle,
            rectangle,
            sort: _,
            skip: _,
            take: _,
        } = query;
        let mut sets = Vec::new();
        if let Some(name) = place_name {
            self.add_name(name, &mut sets);
        }
        let exact = [
            (city, &self.cities),
            (zip_code, &self.zips),
            (place_type_name, &self.types),
            (brand, &self.brands),
        ];
        for (text, column) in exact {
            if let Some(text) = text {
                sets.push(column.with_key(&normalize(text)));
            }
        }
        if let Some(state) = state {
            sets.push(self.states.with_any_key(state_forms(&normalize(state))));
        }
        if let Some(ids) = place_ids {
            let found = ids.iter().filter_map(|id| self.find(*id));
            sets.push(Set::of_any_order(found.map(PlaceIndex::raw)));
        }
        if let Some(ids) = place_type_ids {
            sets.push(of_any(ids.clone(), &self.type_ids, self.types.postings()));
        }
        for (areas, column) in [(dmas, &self.dmas), (counties, &self.counties)] {
            sets.extend(areas.as_ref().map(|areas| column.of_any(areas)));
        }
        let position = |place| self.position(place);
        sets.extend(self.points.within_each(circle, rectangle, self.len(), position));
        sets
    }

    fn position(&self, place: u32) -> Position {
        let row = &self.rows[place as usize];
        Position { latitude: row.latitude.get(), longitude: row.longitude.get() }
    }

    /// Adds the set of matching places for each word in a name, or the empty set if the name contains no
    /// words. Stops at the first word without matches, because the result is then empty.
    fn add_name<'a>(&'a self, name: &str, sets: &mut Vec<Set<'a>>) {
        let words = split_words(&normalize(name));
        let Some((last, others)) = words.split_last() else {
            sets.push(Set::EMPTY);
            return;
        };
        let others: BTreeSet<&String> = others.iter().collect();
        for word in others {
            sets.push(self.or_near(word, self.names.exactly(word)));
            if sets.last().is_some_and(Set::is_empty) {
                // Typo search is the slowest step, so skip it once the result is known to be empty.
                return;
            }
        }
        sets.push(self.or_near(last, self.names.beginning_with(last)));
    }

    /// Returns `found` or, if it's empty, the places that match the word with one typo.
    fn or_near<'a>(&'a self, word: &str, found: Set<'a>) -> Set<'a> {
        if found.is_empty() { self.names.within_one_typo(word) } else { found }
    }

    /// Returns the places in `found` with a street address that matches a normalized pattern.
    fn with_address<'a>(&self, found: Set<'a>, pattern: &str) -> Set<'a> {
        let pattern = Pattern::new(pattern);
        if found.len() < self.len() / FEW {
            let matches = |place: &u32| pattern.matches(self.streets.get(*place as usize));
            return Set::of_ascending(found.iter().filter(matches));
        }
        Set::intersection(vec![found, Set::of_ascending(pattern.find(&self.streets))], self.len())
    }

    fn page(&self, found: &Set<'_>, query: &PlaceQuery<'_>) -> Vec<PlaceIndex> {
        let PlaceQuery { sort: PlaceSort { key, descending }, skip, take, .. } = *query;
        if matches!(key, PlaceSortKey::Field(PlaceSortField::PlaceName)) && !descending {
            return found.page(skip, take, false).into_iter().map(PlaceIndex::from_raw).collect();
        }
        let order = Order { k: skip.saturating_add(take).min(found.len()), descending };
        let by_id = &*self.by_id;
        let place = |rank: u32| PlaceIndex::from_raw(by_id[rank as usize].get());
        self.first(found, key, order).into_iter().skip(skip).map(place).collect()
    }

    /// Returns the ID ranks of the first places in the given order. Places with equal values are sorted by
    /// ID.
    fn first(&self, found: &Set<'_>, key: PlaceSortKey<'_>, order: Order) -> Vec<u32> {
        let id_ranks = &*self.id_ranks;
        let ties = Some(id_ranks);
        let field = match key {
            PlaceSortKey::Field(field) => field,
            PlaceSortKey::WeeklyVisits(visits) => {
                return order.first(found.iter(), |place| visits.count(place), ties);
            }
            PlaceSortKey::DistanceFrom(center) => {
                let position = |place| self.position(place);
                let by_distance = DistanceOrder { points: &self.points, center, position };
                return by_distance.first(found, order, ties, self.len());
            }
        };
        match field {
            PlaceSortField::PlaceId => {
                order.first(found.iter(), |place| id_ranks[place as usize].get() + 1, ties)
            }
            PlaceSortField::PlaceTypeName => self.types.first(found, order, ties),
            PlaceSortField::City => self.cities.first(found, order, ties),
            PlaceSortField::State => self.states.first(found, order, ties),
            PlaceSortField::ZipCode => self.zips.first(found, order, ties),
            PlaceSortField::PlaceName => self.name_ranks.first(found.iter(), order, ties),
            PlaceSortField::StreetAddress => self.street_ranks.first(found.iter(), order, ties),
            PlaceSortField::DmaName => self.dma_ranks.first(found.iter(), order, ties),
            PlaceSortField::CountyName => self.county_ranks.first(found.iter(), order, ties),
            PlaceSortField::CbsaName => self.cbsa_ranks.first(found.iter(), order, ties),
        }
    }
}
