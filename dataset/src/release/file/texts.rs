//! Texts of a mapped file, one after the other.

use zerocopy::little_endian::U32;

use super::rows::Rows;

/// The name of the section that holds where each text of a section ends.
pub(super) fn ends_of(section: &str) -> String {
    format!("{section}.ends")
}

/// Texts by their number.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    ends: Rows<U32>,
    bytes: Rows<u8>,
}

impl Texts {
    /// Takes texts; `None` when the last one is cut off.
    pub(super) fn new(ends: Rows<U32>, bytes: Rows<u8>) -> Option<Self> {
        let end = ends.last().map_or(0, |end| end.get() as usize);
        (end == bytes.len()).then_some(Self { ends, bytes })
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        self.lent().get(index)
    }

    /// Looks the sections up, for whoever asks for many texts.
    pub(crate) fn lent(&self) -> LentTexts<'_> {
        LentTexts { ends: &self.ends, bytes: &self.bytes }
    }

    /// Whether every text is there and is UTF-8.
    pub(crate) fn are_sound(&self) -> bool {
        let mut start = 0;
        self.ends.iter().all(|end| {
            let range = start..end.get() as usize;
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
        let (all, mut start) = (self.all(), 0);
        self.ends.iter().map(move |end| {
            let end = end.get() as usize;
            &all[std::mem::replace(&mut start, end)..end]
        })
    }

    /// Returns the position of the first text of which something does not hold that holds of all before it;
    /// how many there are, when it holds of all.
    pub(crate) fn partition_point(&self, holds: impl Fn(&str) -> bool) -> usize {
        let texts = self.lent();
        let (mut from, mut to) = (0, texts.ends.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(texts.get(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// Returns where each text ends in [`bytes`](Self::bytes).
    pub(crate) fn ends(&self) -> &[U32] {
        &self.ends
    }
}

/// The sections of texts, each looked up once for many texts.
#[derive(Clone, Copy)]
pub(crate) struct LentTexts<'a> {
    ends: &'a [U32],
    bytes: &'a [u8],
}

impl<'a> LentTexts<'a> {
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &'a str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
        let bytes = &self.bytes[start..self.ends[index].get() as usize];
        std::str::from_utf8(bytes).expect("a verified release holds UTF-8")
    }
}
