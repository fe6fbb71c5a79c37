//! Iteration over the documents of a set.

use std::ops::Range;
use std::slice;

use zerocopy::little_endian::{U32, U64};

use super::bits::WORD;

/// An iterator over the documents of a set, in ascending order.
#[derive(Clone, Debug)]
pub(crate) enum Documents<'a> {
    Range(Range<u32>),
    List(slice::Iter<'a, U32>),
    Bits {
        words: slice::Iter<'a, U64>,
        /// The number of the first document in the next word.
        next: u32,
        /// The bits of the current word that haven't been visited yet.
        word: u64,
    },
}

impl<'a> Documents<'a> {
    pub(super) fn of_words(words: &'a [U64]) -> Self {
        Self::Bits { words: words.iter(), next: 0, word: 0 }
    }
}

impl Iterator for Documents<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Range(range) => range.next(),
            Self::List(list) => list.next().map(|document| document.get()),
            Self::Bits { words, next, word } => {
                while *word == 0 {
                    *word = words.next()?.get();
                    *next += WORD;
                }
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                Some(*next - WORD + bit)
            }
        }
    }

    /// Matches on the kind of set only once, not for every document.
    fn fold<B, F: FnMut(B, u32) -> B>(self, init: B, mut f: F) -> B {
        match self {
            Self::Range(range) => range.fold(init, f),
            Self::List(list) => list.fold(init, |so_far, document| f(so_far, document.get())),
            Self::Bits { words, next, word } => {
                let mut so_far = ones(word, next.wrapping_sub(WORD), init, &mut f);
                for (word, first) in words.zip((next..).step_by(WORD as usize)) {
                    so_far = ones(word.get(), first, so_far, &mut f);
                }
                so_far
            }
        }
    }
}

fn ones<B>(word: u64, first: u32, init: B, f: &mut impl FnMut(B, u32) -> B) -> B {
    let (mut rest, mut so_far) = (word, init);
    while rest != 0 {
        so_far = f(so_far, first + rest.trailing_zeros());
        rest &= rest - 1;
    }
    so_far
}
