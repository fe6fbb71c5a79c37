//! Finds places: each criterion leaves a list, and the lists are cut from the shortest on.

use std::collections::BTreeSet;

use zerocopy::little_endian::U32;

use super::lists::{self, List};
use super::query::{Found, PlaceQuery, PlaceSort, PlaceSortField};
use super::text::{fold, is_forgiven, within_one_typo, words};
use super::wildcard::Wildcard;
use super::{PlaceIndex, Places};
use crate::top::smallest;
use crate::vocabulary::Postings;

/// With fewer candidates than one in so many places, their addresses are looked at one by one.
const FEW: usize = 16;

impl Places {
    /// Finds places.
    pub fn search(&self, query: &PlaceQuery) -> Found {
        let mut candidates = lists::intersection(self.lists(query));
        if let Some(address) = &query.address {
            candidates = Some(self.with_address(candidates, &fold(address)));
        }
        match candidates {
            Some(candidates) => self.page(candidates.into_iter(), query),
            None => self.page(0..u32::try_from(self.len()).expect("positions fit"), query),
        }
    }

    /// Lists the places of each criterion but the address.
    fn lists(&self, query: &PlaceQuery) -> Vec<List<'_>> {
        let mut lists = Vec::new();
        if let Some(name) = &query.place_name {
            self.list_name(name, &mut lists);
        }
        let exact = [
            (&query.city, &self.cities),
            (&query.state, &self.states),
            (&query.zip_code, &self.zips),
            (&query.place_type_name, &self.types),
        ];
        for (text, column) in exact {
            if let Some(text) = text {
                lists.push(List::Stored(column.values.of(&fold(text))));
            }
        }
        if let Some(ids) = &query.place_ids {
            let found = ids.iter().filter_map(|id| self.find(*id));
            let mut found: Vec<U32> = found.map(|index| U32::new(index.0)).collect();
            found.sort_unstable_by_key(|place| place.get());
            found.dedup();
            lists.push(List::Made(found));
        }
        if let Some(ids) = &query.place_type_ids {
            lists.push(self.of_any(ids.clone(), &self.type_ids, &self.types.values.postings));
        }
        if let Some(dmas) = &query.dmas {
            let dmas = dmas.iter().map(|dma| dma.raw()).collect();
            lists.push(self.of_any(dmas, &self.dmas, &self.dma_places));
        }
        lists
    }

    /// Lists the places of each word of a name.
    fn list_name<'a>(&'a self, name: &str, lists: &mut Vec<List<'a>>) {
        let words = words(&fold(name));
        let Some((last, others)) = words.split_last() else {
            lists.push(List::Stored(&[]));
            return;
        };
        let others: BTreeSet<&String> = others.iter().collect();
        for word in others {
            if lists.last().is_some_and(|list| list.is_empty()) {
                // Looking for typos takes the longest of all: not when nothing can be found any more.
                return;
            }
            match self.words.find(word) {
                Some(at) => lists.push(List::Stored(self.words.postings.get(at))),
                None => lists.push(self.forgiven(word)),
            }
        }
        let beginning = self.words.beginning_with(last);
        lists.push(match beginning.is_empty() {
            false => lists::union([self.words.postings.of_all(beginning)], self.len()),
            true => self.forgiven(last),
        });
    }

    /// Lists the places with a word that no name has, with one typo in it.
    fn forgiven(&self, word: &str) -> List<'_> {
        if !is_forgiven(word) {
            return List::Stored(&[]);
        }
        let mut rest = word.chars();
        let (first, _) = (rest.next().unwrap_or_default(), rest.next());
        let is_near = |text: &str| {
            // Of a typo in the first letter, what follows the second one does not know: a glance spares most words.
            (text.starts_with(first) || text.ends_with(rest.as_str())) && within_one_typo(word, text)
        };
        let near = self.words.texts.iter().enumerate().filter(|(_, text)| is_near(text));
        lists::union(near.map(|(at, _)| self.words.postings.get(at)), self.len())
    }

    /// Lists the places that have any of some values.
    fn of_any<'a>(&self, mut any: Vec<u32>, values: &[U32], postings: &'a Postings) -> List<'a> {
        any.sort_unstable();
        let having = (0..values.len()).filter(|at| any.binary_search(&values[*at].get()).is_ok());
        lists::union(having.map(|at| postings.get(at)), self.len())
    }

    /// Keeps the candidates whose street address matches a folded pattern.
    fn with_address(&self, candidates: Option<Vec<u32>>, pattern: &str) -> Vec<u32> {
        let pattern = Wildcard::new(pattern);
        match candidates {
            Some(mut candidates) if candidates.len() < self.len() / FEW => {
                candidates.retain(|place| pattern.matches(self.streets.get(*place as usize)));
                candidates
            }
            Some(candidates) => lists::common(candidates, pattern.find(&self.streets)),
            None => pattern.find(&self.streets),
        }
    }

    /// Takes a page of ascending places.
    fn page(&self, places: impl ExactSizeIterator<Item = u32>, query: &PlaceQuery) -> Found {
        let total = places.len();
        let PlaceSort { field, descending } = query.sort;
        if field == PlaceSortField::PlaceName && !descending {
            return Found { total, places: places.skip(query.skip).take(query.take).map(PlaceIndex).collect() };
        }
        let (ranks, id_ranks) = (self.ranks(field), &*self.id_ranks);
        let direction = if descending { u32::MAX } else { 0 };
        let keys = places.map(|place| {
            let (rank, id_rank) = (ranks[place as usize].get(), id_ranks[place as usize].get());
            u64::from(rank ^ direction) << 32 | u64::from(id_rank)
        });
        let keys = smallest(keys, query.skip.saturating_add(query.take).min(total));
        let by_id = &*self.by_id;
        let place = |key: u64| PlaceIndex(by_id[(key & u64::from(u32::MAX)) as usize].get());
        Found { total, places: keys.into_iter().skip(query.skip).map(place).collect() }
    }

    /// Returns the position of each place's value among the values of a field.
    fn ranks(&self, field: PlaceSortField) -> &[U32] {
        match field {
            PlaceSortField::PlaceName => &self.name_ranks,
            PlaceSortField::PlaceId => &self.id_ranks,
            PlaceSortField::PlaceTypeName => &self.types.numbers,
            PlaceSortField::StreetAddress => &self.street_ranks,
            PlaceSortField::City => &self.cities.numbers,
            PlaceSortField::State => &self.states.numbers,
            PlaceSortField::ZipCode => &self.zips.numbers,
            PlaceSortField::DmaName => &self.dma_ranks,
            PlaceSortField::CountyName => &self.county_ranks,
            PlaceSortField::CbsaName => &self.cbsa_ranks,
        }
    }
}
