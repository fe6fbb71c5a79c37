use zerocopy::little_endian::U32;

use super::Rows;

/// The name of the section that holds where each text of a section ends.
pub(super) fn ends_of(section: &str) -> String {
    format!("{section}.ends")
}

/// Texts by their number.
#[derive(Clone, Debug)]
pub struct Texts {
    ends: Rows<U32>,
    bytes: Rows<u8>,
}

impl Texts {
    /// Takes texts; `None` when the last one is cut off.
    pub(super) fn new(ends: Rows<U32>, bytes: Rows<u8>) -> Option<Self> {
        let end = ends.last().map_or(0, |end| end.get() as usize);
        (end == bytes.len()).then_some(Self { ends, bytes })
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a text.
    pub fn get(&self, index: usize) -> &str {
        let ends = &*self.ends;
        let start = index.checked_sub(1).map_or(0, |before| ends[before].get() as usize);
        let bytes = &self.bytes[start..ends[index].get() as usize];
        std::str::from_utf8(bytes).expect("a verified release holds UTF-8")
    }

    /// Whether every text is there and is UTF-8.
    pub fn are_sound(&self) -> bool {
        let mut start = 0;
        self.ends.iter().all(|end| {
            let range = start..end.get() as usize;
            start = range.end;
            self.bytes.get(range).is_some_and(|text| std::str::from_utf8(text).is_ok())
        })
    }

    /// Returns all texts, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns all texts, one after the other, as one.
    pub fn all(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a verified release holds UTF-8")
    }

    /// Returns each text.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (all, mut start) = (self.all(), 0);
        self.ends.iter().map(move |end| {
            let end = end.get() as usize;
            &all[std::mem::replace(&mut start, end)..end]
        })
    }

    /// Finds the first text of which something holds that holds of all texts behind it; how many there are, when it holds
    /// of none.
    pub fn first_where(&self, holds: impl Fn(&str) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if holds(self.get(middle)) { to = middle } else { from = middle + 1 }
        }
        from
    }

    /// Returns where each text ends in [`bytes`](Self::bytes).
    pub fn ends(&self) -> &[U32] {
        &self.ends
    }
}
