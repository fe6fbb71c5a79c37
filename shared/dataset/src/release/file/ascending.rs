//! A compact encoding of ascending numbers, such as IDs or the end offsets of concatenated items.
//!
//! Numbers are stored in blocks. A block stores its first number and the smallest step between consecutive
//! numbers. These two values define an evenly spaced sequence, and the block stores only each number's
//! difference from that sequence. All differences in a block have the bit width that the largest one needs.
//! Evenly spaced numbers therefore take no bits, and a large step affects only its own block.

use std::ops::Range;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::packed::{MAX_BITS, bits_for, pack, unpack};
use super::rows::Rows;

pub(super) const PACKED: &str = "packed";

/// The number of entries in a block. With 64 entries, a block ends at a byte boundary for any bit width.
const BLOCK: usize = 64;

/// Numbers in ascending order, possibly with duplicates.
#[derive(Clone, Debug)]
pub(crate) struct Ascending {
    blocks: Rows<Block>,
    packed: Rows<u8>,
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Block {
    first: U32,
    /// The offset of the packed differences, in units of eight bytes.
    at: U32,
    step: U16,
    bits: u8,
    /// The number of entries in the block. Only the last block can have fewer than `BLOCK`.
    numbers: u8,
}

impl Ascending {
    /// Combines the two sections of a list.
    pub(super) fn new(blocks: Rows<Block>, packed: Rows<u8>) -> Self {
        Self { blocks, packed }
    }

    /// Encodes numbers as the two sections of a list: the blocks and the packed differences.
    ///
    /// # Panics
    ///
    /// Panics if the numbers aren't in ascending order.
    pub(super) fn blocks(numbers: &[u32]) -> (Vec<Block>, Vec<u8>) {
        let (mut blocks, mut packed, mut at) = (Vec::new(), Vec::new(), 0);
        for of_block in numbers.chunks(BLOCK) {
            let (block, beyond) = Block::of(of_block, at);
            let (bits, bytes) = (u32::from(block.bits), BLOCK / 8 * usize::from(block.bits));
            packed.extend(pack(&beyond, bits).into_iter().chain(std::iter::repeat(0)).take(bytes));
            at += bits;
            blocks.push(block);
        }
        packed.extend(pack(&[], 0));
        (blocks, packed)
    }

    pub(crate) fn len(&self) -> usize {
        let blocks = &*self.blocks;
        blocks.last().map_or(0, |last| (blocks.len() - 1) * BLOCK + usize::from(last.numbers))
    }

    /// Returns the number at a position, or `None` beyond the end.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<u32> {
        self.of_block(self.blocks.get(at / BLOCK)?, at % BLOCK)
    }

    /// Returns the range of the concatenated item at a position. The numbers must be the end offsets of the
    /// items.
    #[inline]
    pub(crate) fn range(&self, at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.get(before))?;
        Some(start as usize..self.get(at)? as usize)
    }

    /// Returns the position of the first occurrence of `number`, if any.
    pub(crate) fn find(&self, number: u32) -> Option<usize> {
        let at = self.partition_point(|other| other < number);
        (self.get(at)? == number).then_some(at)
    }

    /// Returns the position of the first number for which `holds` returns false, or the length if there is
    /// none. The numbers must be partitioned: `holds` is true for all numbers before this position and false
    /// for all others.
    pub(crate) fn partition_point(&self, holds: impl Fn(u32) -> bool) -> usize {
        let blocks = self.blocks.partition_point(|block| holds(block.first.get()));
        let Some(before) = blocks.checked_sub(1) else { return 0 };
        let block = &self.blocks[before];
        let (mut from, mut to) = (1, usize::from(block.numbers));
        while from < to {
            let middle = from.midpoint(to);
            if self.of_block(block, middle).is_some_and(&holds) { from = middle + 1 } else { to = middle }
        }
        before * BLOCK + from
    }

    #[inline]
    fn of_block(&self, block: &Block, nth: usize) -> Option<u32> {
        if nth >= usize::from(block.numbers) {
            return None;
        }
        let by_steps = block.first.get().wrapping_add(nth as u32 * u32::from(block.step.get()));
        if block.bits == 0 {
            return Some(by_steps);
        }
        let packed = self.packed.get(block.at.get() as usize * 8..)?;
        Some(by_steps.wrapping_add(unpack(packed, nth, u32::from(block.bits).min(MAX_BITS))?))
    }
}

impl Block {
    /// Creates the block whose packed data starts at offset `at`. Also returns the differences to pack.
    fn of(numbers: &[u32], at: u32) -> (Self, Vec<u32>) {
        let steps = numbers
            .windows(2)
            .map(|pair| pair[1].checked_sub(pair[0]).expect("the numbers are in ascending order"));
        let step = steps.min().map_or(0, |step| u16::try_from(step).unwrap_or(u16::MAX));
        let first = numbers.first().copied().unwrap_or(0);
        let beyond = (0..).zip(numbers).map(|(nth, number)| number - first - nth * u32::from(step));
        let beyond: Vec<u32> = beyond.collect();
        let bits = bits_for(beyond.last().copied().unwrap_or(0));
        let block = Self {
            first: U32::new(first),
            at: U32::new(at),
            step: U16::new(step),
            bits: bits as u8,
            numbers: numbers.len() as u8,
        };
        (block, beyond)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::writer::FileWriter;

    proptest! {
        #[test]
        fn round_trips_numbers_and_finds_partition_points(
            steps in vec(prop_oneof![8 => 0..20_u32, 4 => Just(1), 1 => 0..200_000_u32], 0..300),
            sought in 0..3_000_u32,
        ) {
            let numbers = steps.iter().scan(0, |number, step| {
                *number += step;
                Some(*number)
            });
            let numbers: Vec<u32> = numbers.collect();
            let mut file = FileWriter::default();
            file.ascending("numbers", &numbers);
            let read = file.opened().ascending("numbers").unwrap();
            prop_assert_eq!((read.len(), read.get(numbers.len())), (numbers.len(), None));
            for (at, number) in numbers.iter().enumerate() {
                prop_assert_eq!(read.get(at), Some(*number));
                prop_assert_eq!(read.range(at).map(|range| range.len()), Some(steps[at] as usize));
            }
            let expected = numbers.partition_point(|number| *number < sought);
            prop_assert_eq!(read.partition_point(|number| number < sought), expected);
        }
    }
}
