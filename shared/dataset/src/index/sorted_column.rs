//! The texts of a column on their way into a file.

use zerocopy::little_endian::U32;

use super::dictionary::Folding;
use super::text_list::{TextList, ordinals_of};

/// The texts of a column as they are written: by ascending key, and one more than the ordinal of each item's;
/// 0 for none.
#[derive(Debug)]
pub(crate) struct SortedColumn {
    pub(crate) values: SortedValues,
    pub(crate) numbers: Vec<u32>,
}

/// The values of a column by their keys, and by themselves where they have the same key.
#[derive(Debug)]
pub(crate) struct SortedValues {
    /// The texts and their keys in another order; no keys where the texts are keys themselves.
    texts: TextList,
    keys: Option<TextList>,
    /// The number of each value's text.
    order: Vec<u32>,
}

impl SortedValues {
    /// Sorts texts by their keys.
    pub(super) fn of(texts: TextList, folding: Folding) -> Self {
        if let Folding::AsIs = folding {
            let order = texts.sorted(u32::cmp);
            return Self { texts, keys: None, order };
        }
        let (mut keys, mut buffer) = (TextList::default(), String::new());
        texts.iter().for_each(|text| keys.push(folding.key_in(text, &mut buffer)));
        let order = keys.sorted(|one, other| texts.get(*one).cmp(texts.get(*other)));
        Self { texts, keys: Some(keys), order }
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the ordinal of each text by its number.
    pub(super) fn ordinals(&self) -> Vec<u32> {
        ordinals_of(&self.order)
    }

    /// Returns the key of a value by its ordinal.
    pub(crate) fn key(&self, value: u32) -> &str {
        self.keys.as_ref().unwrap_or(&self.texts).get(self.order[value as usize])
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys.as_ref().unwrap_or(&self.texts);
        self.order.iter().map(|number| keys.get(*number))
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|number| self.texts.get(*number))
    }
}

/// The items of each value, one list after the other.
#[derive(Debug)]
pub(crate) struct ItemsByValue {
    items: Vec<U32>,
    ends: Vec<usize>,
}

impl ItemsByValue {
    /// Sorts items by the numbers of their values, which are from 1 to so many; 0 is none.
    pub(crate) fn of(numbers: &[u32], values: usize) -> Self {
        let value = |(item, number): (u32, &u32)| Some((number.checked_sub(1)? as usize, item));
        Self::of_pairs((0..).zip(numbers).filter_map(value), values)
    }

    /// Sorts pairs of values, which are below so many, and items by the values. The items of each stay in
    /// their order.
    pub(crate) fn of_pairs(pairs: impl Iterator<Item = (usize, u32)> + Clone, values: usize) -> Self {
        let mut ends = vec![0; values];
        pairs.clone().for_each(|(value, _)| ends[value] += 1);
        let mut end = 0;
        let mut starts: Vec<usize> = Vec::with_capacity(values);
        for count in &mut ends {
            starts.push(end);
            end += *count;
            *count = end;
        }
        let mut items = vec![U32::new(0); end];
        for (value, item) in pairs {
            items[starts[value]] = U32::new(item);
            starts[value] += 1;
        }
        Self { items, ends }
    }

    pub(super) fn get(&self, value: u32) -> &[U32] {
        let value = value as usize;
        &self.items[value.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[value]]
    }

    pub(crate) fn lists(&self) -> impl Iterator<Item = &[U32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.items[*start..*end])
    }
}
