//! A list of strings in a mapped file, stored back to back.

use std::ops::Range;

use zerocopy::little_endian::U32;

use super::rows::Rows;

pub(super) const ENDS: &str = "ends";

/// The strings in a section, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    /// The end offset of each string in `bytes`.
    ends: Rows<U32>,
    bytes: Rows<u8>,
}

impl Texts {
    /// Combines the two sections of a list. Returns `None` if the last string doesn't end at the end of
    /// `bytes`.
    pub(super) fn new(ends: Rows<U32>, bytes: Rows<u8>) -> Option<Self> {
        let end = ends.last().map_or(0, |end| end.get());
        (end as usize == bytes.len()).then_some(Self { ends, bytes })
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &str {
        std::str::from_utf8(&self.bytes[self.range(index)]).expect("a verified release holds UTF-8")
    }

    /// Returns all strings, concatenated, as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns all strings, concatenated.
    pub(crate) fn all(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a verified release holds UTF-8")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let all = self.all();
        (0..self.len()).map(move |index| &all[self.range(index)])
    }

    /// Returns the index of the first string for which `holds` returns false, or the number of strings if
    /// there is none. The strings must be partitioned: `holds` is true for all strings before this index and
    /// false for all others.
    pub(crate) fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(self.get(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// Returns the end offset of each string in [`bytes`](Self::bytes).
    pub(crate) fn ends(&self) -> &[U32] {
        &self.ends
    }

    #[inline]
    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].get());
        start as usize..self.ends[index].get() as usize
    }
}
