//! Searches for spots. Each criterion selects a set of spots, and the result is the intersection of these
//! sets.

use chrono::NaiveDate;

use super::field::{Field, Stored};
use super::id::{SpotId, SpotIndex};
use super::normalize::normalize_hyphens;
use super::query::{FoundSpots, InventoryQuery, TextCriterion};
use super::table::Inventory;
use crate::geographies::state_forms;
use crate::index::{Indexing, Set, SetBuilder, TextColumn, Word, split_words};

impl Inventory {
    /// Returns one page of the measured spots that meet every criterion of a query, and their total number.
    pub fn search(&self, query: &InventoryQuery) -> FoundSpots {
        let found = self.matches(query);
        let page = self.page(&found, query.sort, query.skip, query.take);
        FoundSpots { total: found.len(), spots: page.into_iter().map(SpotIndex::from_raw).collect() }
    }

    /// Returns the measured spots that meet every criterion.
    pub(super) fn matches(&self, query: &InventoryQuery) -> Set<'_> {
        Set::intersection(self.criteria(query), self.len())
    }

    /// Returns whether any spot has the given text in the criterion's field. The text is compared as in a
    /// search.
    pub fn has_text(&self, criterion: TextCriterion, text: &str) -> bool {
        let (values, key) = (self.column(criterion).values(), normalize_hyphens(text));
        spellings(criterion, &key).into_iter().any(|spelling| !values.find(spelling).is_empty())
    }

    /// Returns the set of measured spots, and the sets of spots that meet the criteria.
    fn criteria(&self, query: &InventoryQuery) -> Vec<Set<'_>> {
        let InventoryQuery {
            exact,
            flags,
            primary_artery,
            plant_spot_id,
            available_by,
            min_impressions,
            exclude_modelled,
            search,
            id_min,
            id_max,
            circle,
            circles,
            rectangle,
            sort: _,
            skip: _,
            take: _,
        } = query;
        let mut sets = vec![self.measured.to_set()];
        if id_min.is_some() || id_max.is_some() {
            sets.push(self.between_ids(*id_min, *id_max));
        }
        sets.extend(flags.iter().map(|(criterion, wanted)| self.flag(criterion.field()).with(*wanted)));
        for (criterion, texts) in exact {
            let keys: Vec<String> = texts.iter().map(|text| normalize_hyphens(text)).collect();
            let keys = keys.iter().flat_map(|key| spellings(*criterion, key));
            sets.push(self.column(*criterion).with_any_key(keys));
        }
        if let Some(id) = plant_spot_id {
            sets.push(Set::of_ascending(self.with_plant_spot_id(id, |_| true).map(SpotIndex::raw)));
        }
        sets.extend(available_by.map(|day| self.available_by(day)));
        if let Some(least) = min_impressions {
            sets.push(self.number(Field::WeeklyImpressions).at_least(*least as f64, self.len()));
        }
        if *exclude_modelled && !self.unmodelled.is_empty() {
            sets.push(self.unmodelled.to_set());
        }
        let position = |spot| self.positions.get(spot);
        sets.extend(self.points.within_each(circle, rectangle, self.len(), position));
        for (circles, wanted) in circles {
            let inside = self.points.within_any(circles, self.len(), position);
            sets.push(if *wanted { inside } else { SetBuilder::complement(&inside, self.len()) });
        }
        if let Some(piece) = primary_artery {
            sets.push(self.text(Field::PrimaryArtery).containing(&normalize_hyphens(piece)));
        }
        if let Some(text) = search {
            self.add_words(text, &mut sets);
        }
        sets
    }

    /// Returns the column that a criterion applies to.
    fn column(&self, criterion: TextCriterion) -> &TextColumn {
        match criterion {
            TextCriterion::MediaOwner => &self.operators,
            other => self.text(other.field()),
        }
    }

    fn between_ids(&self, min: Option<SpotId>, max: Option<SpotId>) -> Set<'static> {
        let before = |holds: &dyn Fn(u32) -> bool| self.ids.partition_point(holds) as u32;
        let start = min.map_or(0, |min| before(&|id| id < min.raw()));
        let end = max.map_or(self.len() as u32, |max| before(&|id| id <= max.raw()));
        Set::Range(start..end.max(start))
    }

    fn available_by(&self, day: NaiveDate) -> Set<'_> {
        self.text(Field::AvailableFrom).up_to(&normalize_hyphens(&day.to_string()))
    }

    /// Adds the set of matching spots for each word, or the empty set if `text` contains no words.
    fn add_words(&self, text: &str, sets: &mut Vec<Set<'_>>) {
        let words = split_words(&normalize_hyphens(text));
        let Some((last, others)) = words.split_last() else {
            return sets.push(Set::EMPTY);
        };
        for word in others {
            sets.push(self.with_word(Word::Whole(word)));
        }
        sets.push(self.with_word(Word::Beginning(last)));
    }

    /// Returns the spots with a matching word in at least one of the searched fields.
    fn with_word(&self, word: Word<'_>) -> Set<'static> {
        let mut spots = SetBuilder::new(self.len());
        for field in Field::ALL {
            if let Stored::Text(Indexing::Searched, _) = field.stored() {
                self.text(field).add_those_with(word, &mut spots);
            }
        }
        spots.finish()
    }
}

/// Returns the normalized strings that a criterion treats as equal to `key`. For a state, these are the name
/// and the two-letter abbreviation.
fn spellings(criterion: TextCriterion, key: &str) -> Vec<&str> {
    match criterion {
        TextCriterion::State => state_forms(key),
        _ => vec![key],
    }
}
