//! Texts of a mapped file, one after the other.

use std::borrow::Cow;
use std::ops::Range;

use zerocopy::little_endian::U32;

use super::ascending::{Ascending, LentAscending};
use super::rows::Rows;

pub(super) const ENDS: &str = "ends";

/// Texts by their number.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    ends: Ends,
    bytes: Rows<u8>,
}

/// Where each text ends.
#[derive(Clone, Debug)]
pub(super) enum Ends {
    /// Quickly gone through.
    Plain(Rows<U32>),
    /// In a quarter of the room.
    Packed(Ascending),
}

impl Texts {
    /// Takes texts; `None` when the last one is cut off.
    pub(super) fn new(ends: Ends, bytes: Rows<u8>) -> Option<Self> {
        let end = match &ends {
            Ends::Plain(ends) => ends.last().map(|end| end.get()),
            Ends::Packed(ends) => ends.last(),
        };
        (end.unwrap_or(0) as usize == bytes.len()).then_some(Self { ends, bytes })
    }

    pub(crate) fn len(&self) -> usize {
        match &self.ends {
            Ends::Plain(ends) => ends.len(),
            Ends::Packed(ends) => ends.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        self.lent().get(index)
    }

    /// Looks the sections up, for whoever asks for many texts.
    pub(crate) fn lent(&self) -> LentTexts<'_> {
        let ends = match &self.ends {
            Ends::Plain(ends) => LentEnds::Plain(ends),
            Ends::Packed(ends) => LentEnds::Packed(ends.lent()),
        };
        LentTexts { ends, bytes: &self.bytes }
    }

    /// Whether every text is there and is UTF-8.
    pub(crate) fn are_sound(&self) -> bool {
        let (ends, mut start) = (self.lent().ends, 0);
        (0..self.len()).all(|index| {
            let Some(range) = ends.range(index).filter(|range| range.start == start) else { return false };
            start = range.end;
            self.bytes.get(range).is_some_and(|text| std::str::from_utf8(text).is_ok())
        })
    }

    /// Returns all texts, one after the other.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns all texts, one after the other, as one.
    pub(crate) fn all(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a verified release holds UTF-8")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let (all, ends) = (self.all(), self.lent().ends);
        (0..self.len()).map(move |index| &all[ends.range(index).expect("a text that there is")])
    }

    /// Returns the position of the first text of which something does not hold that holds of all before it;
    /// how many there are, when it holds of all.
    pub(crate) fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let texts = self.lent();
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(texts.get(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// Returns where each text ends in [`bytes`](Self::bytes).
    pub(crate) fn ends(&self) -> Cow<'_, [U32]> {
        match &self.ends {
            Ends::Plain(ends) => Cow::Borrowed(ends),
            Ends::Packed(ends) => (0..ends.len()).map_while(|at| ends.get(at)).map(U32::new).collect(),
        }
    }
}

/// The sections of texts, each looked up once for many texts.
#[derive(Clone, Copy)]
pub(crate) struct LentTexts<'a> {
    ends: LentEnds<'a>,
    bytes: &'a [u8],
}

#[derive(Clone, Copy)]
enum LentEnds<'a> {
    Plain(&'a [U32]),
    Packed(LentAscending<'a>),
}

impl LentEnds<'_> {
    #[inline]
    fn range(&self, index: usize) -> Option<Range<usize>> {
        let ends = match self {
            Self::Plain(ends) => ends,
            Self::Packed(ends) => return ends.range(index),
        };
        let start = if index == 0 { 0 } else { ends.get(index - 1)?.get() as usize };
        Some(start..ends.get(index)?.get() as usize)
    }
}

impl<'a> LentTexts<'a> {
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &'a str {
        let bytes = &self.bytes[self.ends.range(index).expect("a text that there is")];
        std::str::from_utf8(bytes).expect("a verified release holds UTF-8")
    }
}
