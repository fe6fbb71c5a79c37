//! Which value each item has, as the value's ordinal: its position among all values of the field.

use super::bits::has_bit;
use super::damage::Damage;
use super::items::Items;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, MOST_BITS, Rows, SectionFile, bits_for, pack, packed_bytes, unpack};

/// For each item, one more than the ordinal of its value; 0 for none. In as many bits as the number of values
/// needs.
#[derive(Clone, Debug)]
pub(crate) struct Ordinals {
    /// How many bits a number has, and the numbers.
    bytes: Rows<u8>,
    items: usize,
}

/// The section, looked up once for many items.
#[derive(Clone, Copy)]
struct Numbers<'a> {
    packed: &'a [u8],
    bits: u32,
}

impl Numbers<'_> {
    #[inline]
    fn get(self, item: u32) -> u32 {
        unpack(self.packed, item as usize, self.bits).expect("an item that there is")
    }
}

impl Ordinals {
    /// Opens the ordinals of so many items.
    pub(crate) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let section = ordinals_of(section);
        let bytes: Rows<u8> = file.rows(&section)?;
        let is_whole = bytes.split_first().is_some_and(|(bits, packed)| {
            let bits = u32::from(*bits);
            bits <= MOST_BITS && packed.len() == packed_bytes(items, bits)
        });
        let refuse = || file.inconsistent(format!("{section}: has {} bytes of {items} items", bytes.len()));
        if is_whole { Ok(Self { bytes, items }) } else { Err(refuse()) }
    }

    /// Writes the number of each item, which is at most that of the values.
    pub(crate) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let bits = bits_for(u32::try_from(values).expect("fewer than four thousand million values"));
        let mut bytes = vec![bits as u8];
        bytes.extend(pack(numbers, bits));
        file.bytes(&ordinals_of(section), bytes);
    }

    /// Returns the ordinal of an item's value.
    pub(crate) fn get(&self, item: u32) -> Option<u32> {
        self.numbers().get(item).checked_sub(1)
    }

    /// Returns the first items of some in the order of their ordinals.
    pub(crate) fn first(&self, items: Items<'_>, order: Order, ties: Ties<'_>) -> Vec<u32> {
        let numbers = self.numbers();
        order.first(items, |item| numbers.get(item), ties)
    }

    /// Adds the items that have one of some values to a set.
    pub(super) fn add_those_of(&self, values: &Set<'_>, items: &mut SetBuilder) {
        match values {
            Set::Bits(bits) => {
                let words = bits.words();
                self.add_where(|value| has_bit(words, value), items);
            }
            values => {
                let members = values.members();
                self.add_where(|value| members.contain(value), items);
            }
        }
    }

    fn add_where(&self, is_wanted: impl Fn(u32) -> bool, items: &mut SetBuilder) {
        let (numbers, all) = (self.numbers(), 0..self.items as u32);
        items.add_where(all, |item| numbers.get(item).checked_sub(1).is_some_and(&is_wanted));
    }

    pub(crate) fn len(&self) -> usize {
        self.items
    }

    fn numbers(&self) -> Numbers<'_> {
        let (bits, packed) = self.bytes.split_first().expect("it was found whole");
        Numbers { packed, bits: u32::from(*bits) }
    }

    /// Checks that every item has one of so many values, or none.
    pub(crate) fn check(&self, values: usize) -> Result<(), Damage> {
        let exists = |item: usize| self.get(item as u32).is_none_or(|value| (value as usize) < values);
        if (0..self.len()).all(exists) { Ok(()) } else { Err(Damage::Ordinal) }
    }
}

fn ordinals_of(section: &str) -> String {
    format!("{section}.ordinals")
}
