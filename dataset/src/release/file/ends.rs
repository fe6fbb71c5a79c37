//! Where each of many neighbours ends: numbers that ascend, in few bits each.
//!
//! The ends lie in blocks. A block knows its first end and the smallest step between two of its ends; of the
//! others it has what they are beyond as many such steps, in as many bits as the block needs. So ends at
//! even distances take nothing, and one long text widens its own block alone.

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::packed::{MOST_BITS, bits_for, pack, unpack};
use super::rows::Rows;
use super::section_file::SectionFile;
use super::writer::FileWriter;
use crate::release::error::ReleaseError;

/// How many ends a block has. Of 64 numbers, every width ends on a whole byte.
const BLOCK: usize = 64;

/// The ends of neighbours, by their position.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    blocks: Rows<Block>,
    packed: Rows<u8>,
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Block {
    first: U32,
    /// Where its numbers are, in eights of bytes.
    at: U32,
    step: U16,
    bits: u8,
    /// How many ends it has: all but the last block are full.
    ends: u8,
}

impl Ends {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { blocks: file.rows(section)?, packed: file.rows(&packed_of(section))? })
    }

    /// Writes ends, which ascend or stay.
    pub(crate) fn write(file: &mut FileWriter, section: &str, ends: &[u32]) {
        let (mut blocks, mut packed, mut at) = (Vec::new(), Vec::new(), 0);
        for of_block in ends.chunks(BLOCK) {
            let steps = of_block.windows(2).map(|pair| pair[1] - pair[0]);
            let step = steps.min().map_or(0, |step| u16::try_from(step).unwrap_or(u16::MAX));
            let first = of_block[0];
            let beyond = (0..).zip(of_block).map(|(nth, end)| end - first - nth * u32::from(step));
            let beyond: Vec<u32> = beyond.collect();
            let bits = bits_for(beyond.last().copied().unwrap_or(0));
            let bytes = BLOCK / 8 * bits as usize;
            packed.extend(pack(&beyond, bits).into_iter().chain(std::iter::repeat(0)).take(bytes));
            blocks.push(Block {
                first: U32::new(first),
                at: U32::new(at),
                step: U16::new(step),
                bits: bits as u8,
                ends: of_block.len() as u8,
            });
            at += bits;
        }
        packed.extend(pack(&[], 0));
        file.rows(section, &blocks);
        file.bytes(&packed_of(section), packed);
    }

    pub(crate) fn len(&self) -> usize {
        let blocks = &*self.blocks;
        blocks.last().map_or(0, |last| (blocks.len() - 1) * BLOCK + usize::from(last.ends))
    }

    /// Looks the sections up, for whoever asks for many ends.
    pub(crate) fn lent(&self) -> LentEnds<'_> {
        LentEnds { blocks: &self.blocks, packed: &self.packed }
    }

    /// Whether there are so many ends, ascending, and the last one is this.
    pub(crate) fn are_sound(&self, count: usize, last: usize) -> bool {
        let (ends, mut before) = (self.lent(), 0);
        let blocks = self.blocks.iter().rev().skip(1).all(|block| usize::from(block.ends) == BLOCK);
        let is_sound = |at: usize| {
            let bits = u32::from(ends.blocks[at / BLOCK].bits);
            let end = ends.get(at).filter(|end| bits <= MOST_BITS && *end >= before);
            before = end.unwrap_or(0);
            end.is_some()
        };
        blocks && self.len() == count && (0..count).all(is_sound) && before == last
    }
}

/// The sections of ends, each looked up once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LentEnds<'a> {
    blocks: &'a [Block],
    packed: &'a [u8],
}

impl LentEnds<'_> {
    /// Returns where a neighbour ends; `None` where there is none.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<usize> {
        let Block { first, at: start, step, bits, .. } = self.blocks.get(at / BLOCK)?;
        let (nth, bits) = (at % BLOCK, u32::from(*bits).min(MOST_BITS));
        let packed = self.packed.get(start.get() as usize * 8..)?;
        let beyond = unpack(packed, nth, bits)?;
        Some(first.get() as usize + nth * usize::from(step.get()) + beyond as usize)
    }

    /// Returns where a neighbour begins and ends.
    #[inline]
    pub(crate) fn range(&self, at: usize) -> Option<std::ops::Range<usize>> {
        let start = if at == 0 { 0 } else { self.get(at - 1)? };
        Some(start..self.get(at)?)
    }
}

fn packed_of(section: &str) -> String {
    format!("{section}.packed")
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ends_are_read_as_they_were_written(
            lengths in vec(prop_oneof![8 => 0..20_u32, 4 => Just(1), 1 => 0..200_000_u32], 0..300),
        ) {
            let ends = lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end)
            });
            let ends: Vec<u32> = ends.collect();
            let mut file = FileWriter::default();
            Ends::write(&mut file, "ends", &ends);
            let read = Ends::open(&file.opened(), "ends").unwrap();
            let last = ends.last().map_or(0, |end| *end as usize);
            prop_assert!(read.are_sound(ends.len(), last));
            prop_assert!(!read.are_sound(ends.len() + 1, last) && !read.are_sound(ends.len(), last + 1));
            let lent = read.lent();
            for (at, end) in ends.iter().enumerate() {
                prop_assert_eq!(lent.get(at), Some(*end as usize));
                prop_assert_eq!(lent.range(at).map(|range| range.len()), Some(lengths[at] as usize));
            }
        }
    }
}
