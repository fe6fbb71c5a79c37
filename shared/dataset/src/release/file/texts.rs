//! Texts of a mapped file, stored without gaps.

use std::ops::Range;

use zerocopy::little_endian::U32;

use super::rows::Rows;

pub(super) const ENDS: &str = "ends";

/// Texts by their number.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    /// The end offset of each text.
    ends: Rows<U32>,
    bytes: Rows<u8>,
}

impl Texts {
    /// Combines the two sections of a list of texts. Returns `None` if the last text is truncated.
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

    /// Returns the bytes of all texts, concatenated.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns all texts, concatenated.
    pub(crate) fn all(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a verified release holds UTF-8")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let all = self.all();
        (0..self.len()).map(move |index| &all[self.range(index)])
    }

    /// Returns the index of the first text for which `holds` is false, or the number of texts if there is
    /// none. `holds` must be true for all texts before that index, and false for all texts after it.
    pub(crate) fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(self.get(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// Returns the end offset of each text in [`bytes`](Self::bytes).
    pub(crate) fn ends(&self) -> &[U32] {
        &self.ends
    }

    #[inline]
    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].get());
        start as usize..self.ends[index].get() as usize
    }
}
