//! The value of each document, stored as an ordinal: a position in the field's sorted list of distinct
//! values.

use zerocopy::little_endian::{U16, U32, U64};

use super::bits::{WORD, set_bit};
use super::documents::Documents;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, bits_for, pack, subsection, unpack};

const ORDINALS: &str = "ordinals";

/// For each document, the ordinal of its value plus 1, or 0 if it has no value. Each number takes 1, 2, or 4
/// bytes or, if packed, the minimum number of bits.
#[derive(Clone, Debug)]
pub(crate) enum Ordinals {
    Byte(Rows<u8>),
    Short(Rows<U16>),
    Long(Rows<U32>),
    /// A byte with the number of bits per ordinal, followed by the packed ordinals. Only for columns without
    /// a word index.
    Packed(Rows<u8>),
}

impl Ordinals {
    /// Opens unpacked ordinals. `documents` is the number of documents in the file.
    pub(crate) fn open(file: &SectionFile, section: &str, documents: usize) -> Result<Self, ReleaseError> {
        let section = subsection(section, ORDINALS);
        let bytes: Rows<u8> = file.rows(&section)?;
        // If there are no documents, any width is correct.
        match bytes.len() {
            length if length == documents => Ok(Self::Byte(bytes)),
            length if length == documents * 2 => file.rows(&section).map(Self::Short),
            length if length == documents * 4 => file.rows(&section).map(Self::Long),
            length => {
                Err(file.inconsistent(format!("{section}: has {length} bytes for {documents} documents")))
            }
        }
    }

    /// Writes one number per document, in 1, 2, or 4 bytes each. The numbers range from 0 to `values`.
    pub(crate) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let section = subsection(section, ORDINALS);
        let fits = "a number is at most `values`";
        match values {
            0..=0xFF => {
                let bytes = numbers.iter().map(|number| u8::try_from(*number).expect(fits));
                file.rows(&section, &bytes.collect::<Vec<u8>>());
            }
            0x100..=0xFFFF => {
                let shorts = numbers.iter().map(|number| U16::new(u16::try_from(*number).expect(fits)));
                file.rows(&section, &shorts.collect::<Vec<U16>>());
            }
            _ => file.rows(&section, &numbers.iter().map(|number| U32::new(*number)).collect::<Vec<U32>>()),
        }
    }

    pub(crate) fn open_packed(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        file.rows(&subsection(section, ORDINALS)).map(Self::Packed)
    }

    /// Writes one number per document in packed form. The numbers range from 0 to `values`. Packed numbers
    /// take half the space, but scans take twice as long.
    pub(crate) fn write_packed(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let bits = bits_for(u32::try_from(values).expect("value counts fit in 32 bits"));
        let bytes = std::iter::once(bits as u8).chain(pack(numbers, bits)).collect();
        file.bytes(&subsection(section, ORDINALS), bytes);
    }

    /// Returns the ordinal of a document's value, or `None` if the document has none.
    pub(crate) fn get(&self, document: u32) -> Option<u32> {
        let number = match self {
            Self::Byte(numbers) => u32::from(numbers[document as usize]),
            Self::Short(numbers) => u32::from(numbers[document as usize].get()),
            Self::Long(numbers) => numbers[document as usize].get(),
            Self::Packed(bytes) => packed_numbers(bytes)(document),
        };
        number.checked_sub(1)
    }

    /// Returns the [tie-breaking ranks](Ties) of the first `order.k` documents, sorted by ordinal.
    pub(crate) fn first(&self, documents: Documents<'_>, order: Order, ties: Ties<'_>) -> Vec<u32> {
        match self {
            Self::Byte(numbers) => order.first(documents, |document| numbers[document as usize].into(), ties),
            Self::Short(numbers) => {
                order.first(documents, |document| numbers[document as usize].get().into(), ties)
            }
            Self::Long(numbers) => order.first(documents, |document| numbers[document as usize].get(), ties),
            Self::Packed(bytes) => order.first(documents, packed_numbers(bytes), ties),
        }
    }

    /// Adds the documents that have any of the given values to `documents`. Scans all documents, 64 at a
    /// time. The scan is branch-free, because branches would be unpredictable.
    pub(super) fn add_those_of(&self, values: &Set<'_>, documents: &mut SetBuilder) {
        // The tables are indexed by number, so documents without a value (number 0) are never selected.
        let numbers = || values.iter().map(|value| value as usize + 1);
        let words = documents.as_bits();
        match self {
            Self::Byte(ordinals) => {
                let mut table = [false; 1 << u8::BITS];
                numbers().for_each(|number| table[number] = true);
                add_where(ordinals, words, |number| table[usize::from(*number)]);
            }
            Self::Short(ordinals) => {
                let mut table = vec![false; 1 << u16::BITS];
                numbers().for_each(|number| table[number] = true);
                let table: &[bool; 1 << u16::BITS] =
                    table.first_chunk().expect("the table has 65,536 entries");
                add_where(ordinals, words, |number| table[usize::from(number.get())]);
            }
            Self::Long(ordinals) => {
                let most = numbers().last().unwrap_or(0);
                let mut table = vec![U64::new(0); most / 64 + 1];
                numbers().for_each(|number| set_bit(&mut table, number as u32));
                let word = |number: u32| table.get(number as usize / 64).map_or(0, |word| word.get());
                add_where(ordinals, words, |number| word(number.get()) >> (number.get() % 64) & 1 == 1);
            }
            Self::Packed(_) => unreachable!("searched columns don't have packed ordinals"),
        }
    }
}

/// Returns a function that reads a document's number from packed ordinals.
#[inline]
fn packed_numbers(bytes: &[u8]) -> impl Fn(u32) -> u32 {
    let (bits, packed) = bytes.split_first().expect("the length was checked on opening");
    let bits = u32::from(*bits);
    move |document| unpack(packed, document as usize, bits).expect("the document exists")
}

/// Sets the bits of the documents whose numbers satisfy `holds`.
fn add_where<T>(numbers: &[T], words: &mut [U64], holds: impl Fn(&T) -> bool) {
    let bits_of = |numbers: &[T]| {
        let bits = (0..).zip(numbers).map(|(at, number): (u32, &T)| u64::from(holds(number)) << at);
        bits.fold(0, |word, bit| word | bit)
    };
    let (chunks, rest) = numbers.as_chunks::<{ WORD as usize }>();
    let (whole, last) = words.split_at_mut(chunks.len());
    for (word, chunk) in whole.iter_mut().zip(chunks) {
        *word |= U64::new(bits_of(chunk));
    }
    if let Some(word) = last.first_mut() {
        *word |= U64::new(bits_of(rest));
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_documents_with_any_of_some_values(
            values in prop::sample::select(vec![1_u32, 200, 300, 70_000]),
            documents in vec(any::<prop::sample::Index>(), 1..200),
            wanted in vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let numbers: Vec<u32> = documents.iter().map(|of| of.index(values as usize + 1) as u32).collect();
            let wanted = Set::of_any_order(wanted.iter().map(|of| of.index(values as usize) as u32));
            let mut file = FileWriter::default();
            Ordinals::write(&mut file, "plain", &numbers, values as usize);
            Ordinals::write_packed(&mut file, "packed", &numbers, values as usize);
            let file = file.opened();
            let plain = Ordinals::open(&file, "plain", numbers.len()).unwrap();
            let packed = Ordinals::open_packed(&file, "packed").unwrap();
            for (document, number) in (0..).zip(&numbers) {
                prop_assert_eq!(plain.get(document), number.checked_sub(1));
                prop_assert_eq!(packed.get(document), number.checked_sub(1));
            }
            let mut found = SetBuilder::new(numbers.len());
            plain.add_those_of(&wanted, &mut found);
            let has_one = |document: &u32| plain.get(*document).is_some_and(|value| wanted.contains(value));
            let expected: Vec<u32> = (0..).take(numbers.len()).filter(has_one).collect();
            prop_assert!(found.finish().iter().eq(expected));
        }
    }
}
