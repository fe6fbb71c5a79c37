//! Groups documents by value before their postings are written.

use zerocopy::little_endian::U32;

/// The documents, grouped by value in one concatenated list.
#[derive(Debug)]
pub(crate) struct DocumentsByValue {
    documents: Vec<U32>,
    ends: Vec<usize>,
}

impl DocumentsByValue {
    /// Groups documents by the numbers of their values, which are from 1 to `values`. Documents with number 0
    /// have no value and are omitted.
    pub(crate) fn of(numbers: &[u32], values: usize) -> Self {
        let value = |(document, number): (u32, &u32)| Some((number.checked_sub(1)? as usize, document));
        Self::of_pairs((0..).zip(numbers).filter_map(value), values)
    }

    /// Groups (value, document) pairs by value, and keeps the order of the documents within each value. Each
    /// value must be less than `values`.
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
        let mut documents = vec![U32::new(0); end];
        for (value, document) in pairs {
            documents[starts[value]] = U32::new(document);
            starts[value] += 1;
        }
        Self { documents, ends }
    }

    pub(super) fn get(&self, value: u32) -> &[U32] {
        let value = value as usize;
        &self.documents[value.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[value]]
    }

    pub(crate) fn lists(&self) -> impl Iterator<Item = &[U32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.documents[*start..*end])
    }
}
