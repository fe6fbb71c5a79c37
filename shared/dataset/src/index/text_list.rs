//! A list of strings in one contiguous buffer.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// The number of leading bytes that are compared first, because reading the string itself usually causes a
/// cache miss.
const GLANCE: usize = size_of::<u128>();

/// Strings in one contiguous buffer, numbered from 0. A list can contain millions of strings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TextList {
    texts: String,
    ends: Vec<usize>,
}

impl TextList {
    pub(crate) fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[number]]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).take(self.len()).map(|number| self.get(number))
    }

    /// Returns a list of the strings with the given numbers, in that order.
    pub(crate) fn in_order(&self, order: &[u32]) -> Self {
        let mut list = Self::default();
        order.iter().for_each(|number| list.push(self.get(*number)));
        list
    }

    /// Returns the numbers of the strings in sorted order. `ties` compares the numbers of equal strings.
    pub(crate) fn sorted(&self, ties: impl Fn(&u32, &u32) -> Ordering) -> Vec<u32> {
        let mut glances: Vec<(u128, u32)> = self.iter().map(glance).zip(0..).collect();
        glances.sort_unstable_by(|(glance, one), (other_glance, other)| {
            let texts = || self.get(*one).cmp(self.get(*other));
            glance.cmp(other_glance).then_with(texts).then_with(|| ties(one, other))
        });
        glances.into_iter().map(|(_, number)| number).collect()
    }
}

/// Returns the inverse of a permutation: the position of each number in `order`.
pub(crate) fn ordinals_of(order: &[u32]) -> Vec<u32> {
    let mut ordinals = vec![0; order.len()];
    for (ordinal, number) in (0..).zip(order) {
        ordinals[*number as usize] = ordinal;
    }
    ordinals
}

/// Packs the first bytes of a string into a number. If two of these numbers differ, they're in the same order
/// as the strings.
fn glance(text: &str) -> u128 {
    let mut bytes = [0; GLANCE];
    let length = text.len().min(GLANCE);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Generates short strings, and long strings with a common prefix.
    const TEXT: &str = "[a\u{0}é]{0,4}|sixteen bytes are[ab\u{0}]{0,4}";

    proptest! {
        #[test]
        fn sorting_matches_the_standard_sort(texts in vec(TEXT, 0..60)) {
            let mut list = TextList::default();
            texts.iter().for_each(|text| list.push(text));
            let mut plain: Vec<u32> = (0..).take(texts.len()).collect();
            plain.sort_by_key(|number| &texts[*number as usize]);
            let sorted = list.sorted(u32::cmp);
            prop_assert_eq!(&sorted, &plain);
            let ordinals = ordinals_of(&sorted);
            prop_assert!((0..).zip(&sorted).all(|(at, number)| ordinals[*number as usize] == at));
        }
    }
}
