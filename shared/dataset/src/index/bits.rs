//! A bitmap with one bit per document, for large sets.

use std::borrow::Cow;
use std::ops::Range;

use zerocopy::little_endian::U64;

/// The number of documents per 64-bit word.
pub(super) const WORD: u32 = u64::BITS;

/// A set of documents, stored as a bitmap with one bit per document.
#[derive(Clone, Debug)]
pub(crate) struct Bits<'a> {
    words: Cow<'a, [U64]>,
    /// The number of set bits, or `None` if they haven't been counted yet.
    count: Option<u32>,
}

impl<'a> Bits<'a> {
    /// Borrows a bitmap with `count` set bits.
    pub(super) fn lent(words: &'a [U64], count: u32) -> Self {
        Self { words: Cow::Borrowed(words), count: Some(count) }
    }

    /// Creates a bitmap without counting its bits.
    pub(super) fn of_words(words: Vec<U64>) -> Bits<'static> {
        Bits { words: Cow::Owned(words), count: None }
    }

    pub(super) fn words(&self) -> &[U64] {
        &self.words
    }

    pub(super) fn len(&self) -> usize {
        self.count.unwrap_or_else(|| count(&self.words)) as usize
    }

    /// Counts the set bits and caches the count.
    pub(super) fn counted(self) -> Self {
        let count = self.count.unwrap_or_else(|| count(&self.words));
        Self { count: Some(count), ..self }
    }

    /// Skips the first `skip` documents, and returns up to `take` of the following ones, in ascending or
    /// descending order.
    pub(super) fn page(&self, skip: usize, take: usize, descending: bool) -> Vec<u32> {
        let firsts = (0..).step_by(WORD as usize);
        if !descending {
            return page(firsts.zip(self.words.iter().map(|word| word.get())), skip, take);
        }
        let last = (self.words.len() as u32).wrapping_mul(WORD).wrapping_sub(1);
        let reversed = firsts.zip(self.words.iter().rev().map(|word| word.get().reverse_bits()));
        page(reversed, skip, take).into_iter().map(|document| last - document).collect()
    }

    /// Returns the documents that are in all of the bitmaps and, if a range is given, also in the range. The
    /// result is empty if there are no bitmaps.
    pub(super) fn intersection(sets: Vec<Self>, range: Option<Range<u32>>) -> Self {
        let mut sets = sets.into_iter();
        let Some(first) = sets.next() else { return Self::of_words(Vec::new()) };
        if sets.len() == 0 && range.is_none() {
            return first;
        }
        let mut words = first.words.into_owned();
        for other in sets {
            for (word, more) in words.iter_mut().zip(other.words()) {
                *word &= *more;
            }
        }
        if let Some(range) = range {
            clear_outside(&mut words, &range);
        }
        Self::of_words(words)
    }
}

pub(super) fn has_bit(words: &[U64], document: u32) -> bool {
    words[(document / WORD) as usize].get() >> (document % WORD) & 1 == 1
}

#[inline]
pub(super) fn set_bit(words: &mut [U64], document: u32) {
    let word = &mut words[document as usize / 64];
    *word = U64::new(word.get() | 1 << (document % 64));
}

/// Calls `take` for each run of adjacent set bits. The first run can be empty.
pub(super) fn for_each_run(words: &[U64], mut take: impl FnMut(Range<usize>)) {
    let mut run = 0..0;
    for (word, first) in words.iter().zip((0..).step_by(WORD as usize)) {
        let (mut rest, mut done) = (word.get(), 0);
        while rest != 0 {
            let zeros = rest.trailing_zeros();
            let ones = (rest >> zeros).trailing_ones();
            let start = first + (done + zeros) as usize;
            if start != run.end {
                take(std::mem::replace(&mut run, start..start));
            }
            run.end = start + ones as usize;
            done += zeros + ones;
            rest = rest.checked_shr(zeros + ones).unwrap_or(0);
        }
    }
    take(run);
}

pub(super) fn count(words: &[U64]) -> u32 {
    words.iter().map(|word| word.get().count_ones()).sum()
}

/// Skips the first `skip` set bits and returns the positions of up to `take` of the following ones. `words`
/// pairs the position of each word's first bit with the word. If all set bits of a word are skipped, they're
/// counted but not scanned.
fn page(words: impl Iterator<Item = (u32, u64)>, mut skip: usize, take: usize) -> Vec<u32> {
    let mut page = Vec::new();
    for (first, word) in words {
        if page.len() == take {
            break;
        }
        let mut rest = word;
        if skip > 0 {
            let ones = rest.count_ones() as usize;
            if ones <= skip {
                skip -= ones;
                continue;
            }
        }
        while rest != 0 && page.len() < take {
            if skip == 0 {
                page.push(first + rest.trailing_zeros());
            } else {
                skip -= 1;
            }
            rest &= rest - 1;
        }
    }
    page
}

fn clear_outside(words: &mut [U64], range: &Range<u32>) {
    let (start, end) = ((range.start / WORD) as usize, range.end.div_ceil(WORD) as usize);
    words[..start].fill(U64::new(0));
    words[end..].fill(U64::new(0));
    if let Some(first) = words.get_mut(start) {
        *first &= U64::new(u64::MAX << (range.start % WORD));
    }
    if !range.end.is_multiple_of(WORD)
        && let Some(last) = words.get_mut(end - 1)
    {
        *last &= U64::new(u64::MAX >> (WORD - range.end % WORD));
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_maximal_and_cover_all_bits(
            words in vec(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()], 0..6),
        ) {
            let words: Vec<U64> = words.into_iter().map(U64::new).collect();
            let mut runs = Vec::new();
            for_each_run(&words, |run| runs.push(run));
            runs.retain(|run| !run.is_empty());
            prop_assert!(runs.windows(2).all(|two| two[0].end < two[1].start));
            let all = (0..words.len() * 64).filter(|document| has_bit(&words, *document as u32));
            prop_assert!(runs.into_iter().flatten().eq(all));
        }
    }
}
