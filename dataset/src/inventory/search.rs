//! Finds spots: every criterion is a set of them, and what is in all the sets is found.

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::U32;

use super::field::SEARCHED;
use super::query::{FoundSpots, InventoryQuery, TextCriterion};
use super::text::{key, words};
use super::{Field, Inventory, SpotId, SpotIndex, Words, position, postings};

/// One value to so few spots: going through all spots is faster than through the values and each one's spots.
const FEW_SPOTS: usize = 8;

impl Inventory {
    /// Finds the spots that meet every criterion of a query.
    pub fn search(&self, query: &InventoryQuery) -> FoundSpots {
        let found = self.select(query);
        let total = found.count_ones(..);
        let page = self.page(&found, total, query.sort, query.skip, query.take);
        FoundSpots { total, spots: page.into_iter().map(SpotIndex).collect() }
    }

    fn select(&self, query: &InventoryQuery) -> FixedBitSet {
        let mut found = postings::to_set(self.measured.words(), self.len());
        self.keep_ids(&mut found, query.id_min, query.id_max);
        for (criterion, wanted) in &query.flags {
            let column = self.flag(criterion.field());
            postings::intersect(&mut found, if *wanted { column.yes.words() } else { column.no.words() });
        }
        for (criterion, text) in &query.exact {
            found.intersect_with(&self.with_text(*criterion, text));
        }
        if let Some(circle) = &query.circle {
            found.intersect_with(&self.points.within_circle(circle));
        }
        if let Some(rectangle) = &query.rectangle {
            found.intersect_with(&self.points.within_rectangle(rectangle));
        }
        if let Some(piece) = &query.primary_artery {
            found.intersect_with(&self.with_piece(Field::PrimaryArtery, piece));
        }
        if let Some(text) = &query.search {
            self.keep_words(&mut found, text);
        }
        found
    }

    fn keep_ids(&self, found: &mut FixedBitSet, id_min: Option<SpotId>, id_max: Option<SpotId>) {
        let start = id_min.map_or(0, |min| self.ids.partition_point(|id| id.get() < min.raw()));
        let end = id_max.map_or(self.len(), |max| self.ids.partition_point(|id| id.get() <= max.raw()));
        found.remove_range(..start);
        found.remove_range(end.max(start)..);
    }

    /// Returns the spots of which a text is another one.
    fn with_text(&self, criterion: TextCriterion, text: &str) -> FixedBitSet {
        let field = criterion.field();
        let mut spots = FixedBitSet::with_capacity(self.len());
        for value in self.text(field).with_key(&key(text)) {
            self.postings(field).get(value).add_to(&mut spots);
        }
        spots
    }

    /// Returns the spots of which a text holds a piece.
    fn with_piece(&self, field: Field, piece: &str) -> FixedBitSet {
        let column = self.text(field);
        let mut spots = FixedBitSet::with_capacity(self.len());
        for value in self.words(field).holding(&key(piece), column.values.len(), &|value| column.key(value)) {
            self.postings(field).get(value).add_to(&mut spots);
        }
        spots
    }

    /// Leaves the spots of which each word is in one of the searched fields; none when there is no word.
    fn keep_words(&self, found: &mut FixedBitSet, text: &str) {
        let words = words(&key(text));
        let Some((last, others)) = words.split_last() else {
            return found.clear();
        };
        for word in others {
            found.intersect_with(&self.with_word(|words| words.exactly(word)));
        }
        found.intersect_with(&self.with_word(|words| words.beginning_with(last)));
    }

    /// Returns the spots of which a searched field has a value that a word is found in.
    fn with_word<'a>(&'a self, find: impl Fn(&'a Words) -> &'a [U32]) -> FixedBitSet {
        let mut spots = FixedBitSet::with_capacity(self.len());
        for field in SEARCHED {
            let values = find(self.words(field));
            if values.len() * FEW_SPOTS > self.len() {
                let column = self.text(field);
                let mut set = FixedBitSet::with_capacity(column.values.len());
                values.iter().for_each(|value| set.insert(value.get() as usize));
                column.numbers.add_those_of(&set, &mut spots);
            } else {
                let postings = self.postings(field);
                values.iter().for_each(|value| postings.get(value.get()).add_to(&mut spots));
            }
        }
        spots
    }

    fn words(&self, field: Field) -> &Words {
        &self.words[position(&SEARCHED, field)]
    }
}
