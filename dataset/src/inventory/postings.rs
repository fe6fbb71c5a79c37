//! The spots of each value of a column.

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::{U32, U64};

use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile};

/// The spots of each value, ascending: a list where they are few, one bit for each spot where those take less room.
#[derive(Clone, Debug)]
pub(super) struct Postings {
    ends: Rows<U32>,
    lists: Rows<U32>,
    /// The values that have bits, ascending.
    dense: Rows<U32>,
    bits: Rows<U64>,
    words: usize,
}

/// The spots of one value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spots<'a> {
    List(&'a [U32]),
    Bits(&'a [U64]),
}

impl Postings {
    pub(super) fn open(file: &SectionFile, section: &str, spots: usize) -> Result<Self, ReleaseError> {
        Ok(Self {
            ends: file.rows(&format!("{section}.spots.ends"))?,
            lists: file.rows(&format!("{section}.spots"))?,
            dense: file.rows(&format!("{section}.dense"))?,
            bits: file.rows(&format!("{section}.bits"))?,
            words: spots.div_ceil(64),
        })
    }

    /// Writes the spots of each value, from the number of each spot's.
    pub(super) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let mut counts = vec![0_usize; values];
        let numbered =
            || numbers.iter().enumerate().filter_map(|(spot, number)| Some((spot, number.checked_sub(1)? as usize)));
        numbered().for_each(|(_, value)| counts[value] += 1);
        let words = numbers.len().div_ceil(64);
        // A list takes four bytes for each of its spots.
        let dense: Vec<usize> = (0..values).filter(|value| counts[*value] > words * 2).collect();
        let mut starts = Vec::with_capacity(values);
        let (mut ends, mut end) = (Vec::with_capacity(values), 0);
        for (value, count) in counts.iter().enumerate() {
            starts.push(end);
            if dense.binary_search(&value).is_err() {
                end += count;
            }
            ends.push(super::number(end));
        }
        let mut lists = vec![U32::new(0); end];
        let mut bits = vec![0_u64; dense.len() * words];
        for (spot, value) in numbered() {
            match dense.binary_search(&value) {
                Ok(at) => bits[at * words + spot / 64] |= 1 << (spot % 64),
                Err(_) => {
                    lists[starts[value]] = super::number(spot);
                    starts[value] += 1;
                }
            }
        }
        file.rows(&format!("{section}.spots"), &lists);
        file.rows(&format!("{section}.spots.ends"), &ends);
        file.rows(&format!("{section}.dense"), &dense.into_iter().map(super::number).collect::<Vec<U32>>());
        file.rows(&format!("{section}.bits"), &bits.into_iter().map(U64::new).collect::<Vec<U64>>());
    }

    /// Returns the spots of a value.
    pub(super) fn get(&self, value: u32) -> Spots<'_> {
        match self.dense.binary_search_by_key(&value, |dense| dense.get()) {
            Ok(at) => Spots::Bits(&self.bits[at * self.words..][..self.words]),
            Err(_) => {
                let value = value as usize;
                let start = value.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
                Spots::List(&self.lists[start..self.ends[value].get() as usize])
            }
        }
    }

    /// Returns how many values there are, how many spots are listed, and the values and words of bits.
    pub(super) fn lengths(&self) -> [usize; 4] {
        [self.ends.len(), self.lists.len(), self.dense.len(), self.bits.len()]
    }

    pub(super) fn ends(&self) -> &[U32] {
        &self.ends
    }
}

impl Spots<'_> {
    /// Adds the spots to a set.
    pub(super) fn add_to(self, set: &mut FixedBitSet) {
        match self {
            Self::List(list) => list.iter().for_each(|spot| set.insert(spot.get() as usize)),
            Self::Bits(bits) => {
                for (word, more) in set.as_mut_slice().iter_mut().zip(bits) {
                    *word |= as_word(*more);
                }
            }
        }
    }

    /// Returns how many there are.
    pub(super) fn len(self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Bits(bits) => bits.iter().map(|word| word.get().count_ones() as usize).sum(),
        }
    }

    /// Whether something holds of all of them.
    pub(super) fn all(self, holds: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Self::List(list) => list.iter().all(|spot| holds(spot.get())),
            Self::Bits(bits) => bits.iter().enumerate().all(|(at, word)| {
                (0..u64::BITS).all(|bit| word.get() >> bit & 1 == 0 || holds(super::count(at * 64) + bit))
            }),
        }
    }

    /// Returns those that are in a set, ascending.
    pub(super) fn within<'a>(self, set: &'a FixedBitSet) -> Box<dyn Iterator<Item = u32> + 'a>
    where
        Self: 'a,
    {
        match self {
            Self::List(list) => {
                Box::new(list.iter().map(|spot| spot.get()).filter(|spot| set.contains(*spot as usize)))
            }
            Self::Bits(bits) => Box::new(set.as_slice().iter().zip(bits).enumerate().flat_map(|(at, (word, more))| {
                let mut both = word & as_word(*more);
                std::iter::from_fn(move || {
                    let bit = (both != 0).then(|| both.trailing_zeros())?;
                    both &= both - 1;
                    Some(super::count(at * 64) + bit)
                })
            })),
        }
    }
}

/// Leaves in a set only what has a bit.
pub(super) fn intersect(set: &mut FixedBitSet, bits: &[U64]) {
    for (word, other) in set.as_mut_slice().iter_mut().zip(bits) {
        *word &= as_word(*other);
    }
}

/// Makes a set of bits.
pub(super) fn to_set(bits: &[U64], spots: usize) -> FixedBitSet {
    FixedBitSet::with_capacity_and_blocks(spots, bits.iter().map(|word| as_word(*word)))
}

/// The sets of spots are made of words of the machine, which has 64 bits wherever this runs.
fn as_word(word: U64) -> usize {
    const { assert!(usize::BITS == 64, "a word of a set has 64 bits") };
    word.get() as usize
}
