//! The word index of a text column.

use std::cmp::Reverse;

use zerocopy::little_endian::U32;

use super::column_writer::SortedColumn;
use super::documents_by_value::DocumentsByValue;
use super::postings::{Postings, is_dense};
use super::words::Words;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile, subsection};

const FREQUENT: &str = "frequent";

/// The maximum number of frequent words per column. Their bitmaps take up to 1.75 bytes per document in
/// total.
const MAX_FREQUENT: usize = 14;

/// A word can be frequent only if the number of values that contain it is at least 1/`FEW_VALUES` of the
/// number of documents. With fewer values, joining their postings is just as fast.
const FEW_VALUES: usize = 256;

/// An index from words to the documents or values of a column.
#[derive(Clone, Debug)]
pub(super) enum ColumnWords {
    /// Maps words to documents, for columns where nearly every document has its own value. Mapping words to
    /// values would add a lookup per document.
    OfDocuments(Words),
    /// Maps words to values, and frequent words also to documents, because joining the postings of all values
    /// with a frequent word would take too long.
    OfValues { words: Words, frequent: Postings },
}

impl ColumnWords {
    /// Opens the word index of a column with the given numbers of values and documents.
    pub(super) fn open(
        file: &SectionFile,
        section: &str,
        values: usize,
        documents: usize,
    ) -> Result<Self, ReleaseError> {
        if are_mostly_different(values, documents) {
            return Words::open(file, section, documents).map(Self::OfDocuments);
        }
        let frequent = Postings::open(file, &subsection(section, FREQUENT), documents)?;
        Ok(Self::OfValues { words: Words::open(file, section, values)?, frequent })
    }

    pub(super) fn write(
        file: &mut FileWriter,
        section: &str,
        column: &SortedColumn,
        by_value: &DocumentsByValue,
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

/// Writes postings for the frequent words. `words` contains the values for each word, and `by_value` contains
/// the documents for each value. All other words get empty lists.
fn write_frequent(
    file: &mut FileWriter,
    section: &str,
    documents: usize,
    by_value: &DocumentsByValue,
    words: &DocumentsByValue,
) {
    let count = |values: &[U32]| values.iter().map(|value| by_value.get(value.get()).len()).sum();
    let is_frequent =
        |values: &[U32]| values.len() * FEW_VALUES >= documents.max(1) && is_dense(count(values), documents);
    let mut frequent: Vec<(u32, &[U32])> =
        (0..).zip(words.lists()).filter(|(_, values)| is_frequent(values)).collect();
    frequent.sort_by_key(|(_, values)| Reverse(values.len()));
    frequent.truncate(MAX_FREQUENT);
    let mut lists = vec![Vec::new(); words.lists().count()];
    for (word, values) in frequent {
        lists[word as usize] = values.iter().flat_map(|value| by_value.get(value.get())).copied().collect();
    }
    Postings::write(file, &subsection(section, FREQUENT), documents, lists.iter().map(Vec::as_slice));
}

/// Returns whether nearly every document has its own value, so that words should map to documents. In this
/// case, the lists are at most an eighth longer than if words mapped to values.
fn are_mostly_different(values: usize, documents: usize) -> bool {
    values * 9 >= documents * 8
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::column::{Indexing, TextColumn};
    use super::super::column_writer::ColumnWriter;
    use super::super::dictionary::Normalization;
    use super::super::normalize::{normalize, normalize_into, split_words};
    use super::super::set_builder::SetBuilder;
    use super::super::words::Word;
    use super::*;

    const FOLDING: Normalization =
        Normalization::By(|text, normalized| normalize_into(text, '-', normalized));

    fn column(texts: &[Option<String>]) -> TextColumn {
        let mut writer = ColumnWriter::default();
        texts.iter().for_each(|text| writer.push(text.as_deref()));
        let mut file = FileWriter::default();
        writer.sorted_as_is(FOLDING).write(&mut file, "field", Indexing::Searched);
        TextColumn::open(&file.opened(), "field", FOLDING, Indexing::Searched, texts.len()).unwrap()
    }

    fn where_key(texts: &[Option<String>], holds: impl Fn(&str) -> bool) -> Vec<u32> {
        let key = |text: &String| normalize(&text.replace('-', " "));
        let holds = |text: &&Option<String>| text.as_ref().is_some_and(|text| holds(&key(text)));
        (0..).zip(texts).filter(|(_, text)| holds(text)).map(|(document, _)| document).collect()
    }

    fn with_word(column: &TextColumn, documents: usize, word: Word<'_>) -> Vec<u32> {
        let mut found = SetBuilder::new(documents);
        column.add_those_with(word, &mut found);
        found.finish().iter().collect()
    }

    /// Generates strings from so few distinct words that some words are frequent.
    const TEXT: &str = "[aAbé1]{1,2}[ .\\-'\u{2019}]{0,2}[aAbé1]{0,2}";

    /// Generates either documents that mostly have different values, or documents that share a few values.
    fn texts() -> impl Strategy<Value = Vec<Option<String>>> {
        let shared = (vec(TEXT, 1..60), vec(any::<prop::sample::Index>(), 0..300));
        let shared = shared.prop_map(|(texts, documents)| {
            documents
                .iter()
                .map(|of| Some(of.index(texts.len() + 1)).and_then(|at| texts.get(at).cloned()))
                .collect()
        });
        let own = vec(prop::option::weighted(0.95, TEXT), 0..20);
        prop_oneof![shared, own]
    }

    proptest! {
        #[test]
        fn matches_a_linear_scan(texts in texts(), substring in TEXT) {
            let (column, substring) = (column(&texts), normalize(&substring.replace('-', " ")));
            let containing: Vec<u32> = column.containing(&substring).iter().collect();
            prop_assert_eq!(containing, where_key(&texts, |key| key.contains(&substring)), "{:?}", substring);
            for word in split_words(&substring) {
                let has = where_key(&texts, |key| split_words(key).contains(&word));
                prop_assert_eq!(with_word(&column, texts.len(), Word::Whole(&word)), has, "{}", word);
                let begins = |key: &str| split_words(key).iter().any(|one| one.starts_with(&word));
                let begins = where_key(&texts, begins);
                prop_assert_eq!(with_word(&column, texts.len(), Word::Beginning(&word)), begins, "{}", word);
            }
        }
    }
}
