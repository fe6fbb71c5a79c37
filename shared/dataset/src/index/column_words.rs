//! From words to the items of a column.

use std::cmp::Reverse;

use zerocopy::little_endian::U32;

use super::column_writer::SortedColumn;
use super::items_by_value::ItemsByValue;
use super::postings::{Postings, is_dense};
use super::words::Words;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile, subsection};

const FREQUENT: &str = "frequent";

/// The most frequent words of a column: a bit for each item takes seven quarters of a byte an item for all.
const MOST_FREQUENT: usize = 14;

/// A frequent word is one of at least one value to so many items: joining the items of fewer is as fast.
const FEW_VALUES: usize = 256;

/// The words of a column.
#[derive(Clone, Debug)]
pub(super) enum ColumnWords {
    /// Those of each item's value, where nearly every item has a value of its own: by way of the values, each
    /// item would be looked up on its own.
    OfItems(Words),
    /// Those of each value; and the items of the words that so many values have that joining the items of all
    /// those values takes long.
    OfValues { words: Words, frequent: Postings },
}

impl ColumnWords {
    /// Opens the words of so many values of so many items.
    pub(super) fn open(
        file: &SectionFile,
        section: &str,
        values: usize,
        items: usize,
    ) -> Result<Self, ReleaseError> {
        if are_mostly_different(values, items) {
            return Words::open(file, section, items).map(Self::OfItems);
        }
        let frequent = Postings::open(file, &subsection(section, FREQUENT), items)?;
        Ok(Self::OfValues { words: Words::open(file, section, values)?, frequent })
    }

    pub(super) fn write(
        file: &mut FileWriter,
        section: &str,
        column: &SortedColumn,
        by_value: &ItemsByValue,
    ) {
        let SortedColumn { keys, numbers, .. } = column;
        if are_mostly_different(keys.len(), numbers.len()) {
            let key = |number: &u32| number.checked_sub(1).map_or("", |value| keys.get(value));
            Words::write(file, section, numbers.iter().map(key));
        } else {
            let words = Words::write(file, section, keys.iter());
            write_frequent(file, section, numbers.len(), by_value, &words);
        }
    }
}

/// Writes the items of the frequent ones among words, whose values are given; of other words none.
fn write_frequent(
    file: &mut FileWriter,
    section: &str,
    items: usize,
    by_value: &ItemsByValue,
    words: &ItemsByValue,
) {
    let count = |values: &[U32]| values.iter().map(|value| by_value.get(value.get()).len()).sum();
    let is_frequent =
        |values: &[U32]| values.len() * FEW_VALUES >= items.max(1) && is_dense(count(values), items);
    let mut frequent: Vec<(u32, &[U32])> =
        (0..).zip(words.lists()).filter(|(_, values)| is_frequent(values)).collect();
    frequent.sort_by_key(|(_, values)| Reverse(values.len()));
    frequent.truncate(MOST_FREQUENT);
    let mut lists = vec![Vec::new(); words.lists().count()];
    for (word, values) in frequent {
        lists[word as usize] = values.iter().flat_map(|value| by_value.get(value.get())).copied().collect();
    }
    Postings::write(file, &subsection(section, FREQUENT), items, lists.iter().map(Vec::as_slice));
}

/// Tells whether words are those of items: their lists are at most an eighth longer than those of values.
fn are_mostly_different(values: usize, items: usize) -> bool {
    values * 9 >= items * 8
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::column::{Indexing, TextColumn};
    use super::super::column_writer::ColumnWriter;
    use super::super::dictionary::Folding;
    use super::super::fold::{fold, fold_into, split_words};
    use super::super::set_builder::SetBuilder;
    use super::super::words::Word;
    use super::*;

    const FOLDING: Folding = Folding::By(|text, folded| fold_into(text, '-', folded));

    fn column(texts: &[Option<String>]) -> TextColumn {
        let mut writer = ColumnWriter::default();
        texts.iter().for_each(|text| writer.push(text.as_deref()));
        let mut file = FileWriter::default();
        writer.sorted_as_is(FOLDING).write(&mut file, "field", Indexing::Searched);
        TextColumn::open(&file.opened(), "field", FOLDING, Indexing::Searched, texts.len()).unwrap()
    }

    fn where_key(texts: &[Option<String>], holds: impl Fn(&str) -> bool) -> Vec<u32> {
        let key = |text: &String| fold(&text.replace('-', " "));
        let holds = |text: &&Option<String>| text.as_ref().is_some_and(|text| holds(&key(text)));
        (0..).zip(texts).filter(|(_, text)| holds(text)).map(|(item, _)| item).collect()
    }

    fn with_word(column: &TextColumn, items: usize, word: Word<'_>) -> Vec<u32> {
        let mut found = SetBuilder::new(items);
        column.add_those_with(word, &mut found);
        found.finish().iter().collect()
    }

    /// Texts of so few words that some are frequent.
    const TEXT: &str = "[aAbé1]{1,2}[ .\\-'\u{2019}]{0,2}[aAbé1]{0,2}";

    /// Items with texts of their own, and items that share few texts.
    fn texts() -> impl Strategy<Value = Vec<Option<String>>> {
        let shared = (vec(TEXT, 1..60), vec(any::<prop::sample::Index>(), 0..300));
        let shared = shared.prop_map(|(texts, items)| {
            items
                .iter()
                .map(|of| Some(of.index(texts.len() + 1)).and_then(|at| texts.get(at).cloned()))
                .collect()
        });
        let own = vec(prop::option::weighted(0.95, TEXT), 0..20);
        prop_oneof![shared, own]
    }

    proptest! {
        #[test]
        fn finds_the_items_that_a_plain_loop_finds(texts in texts(), piece in TEXT) {
            let (column, piece) = (column(&texts), fold(&piece.replace('-', " ")));
            let holding: Vec<u32> = column.holding(&piece).iter().collect();
            prop_assert_eq!(holding, where_key(&texts, |key| key.contains(&piece)), "{:?}", piece);
            for word in split_words(&piece) {
                let has = where_key(&texts, |key| split_words(key).contains(&word));
                prop_assert_eq!(with_word(&column, texts.len(), Word::Whole(&word)), has, "{}", word);
                let begins = |key: &str| split_words(key).iter().any(|one| one.starts_with(&word));
                let begins = where_key(&texts, begins);
                prop_assert_eq!(with_word(&column, texts.len(), Word::Beginning(&word)), begins, "{}", word);
            }
        }
    }
}
