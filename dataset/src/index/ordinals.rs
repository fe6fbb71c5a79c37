//! Which value each item has, as the value's ordinal: its position among all values of the field.

use zerocopy::little_endian::{U16, U32};

use super::bits::has_bit;
use super::damage::Damage;
use super::items::Items;
use super::packed_ordinals::PackedOrdinals;
use super::set::Set;
use super::set_builder::SetBuilder;
use super::top_k::{Order, Ties};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// For each item, one more than the ordinal of its value; 0 for none. In as few bytes as the number of values
/// allows; packed, in as few bits.
#[derive(Clone, Debug)]
pub(crate) enum Ordinals {
    Byte(Rows<u8>),
    Short(Rows<U16>),
    Long(Rows<U32>),
    Packed(PackedOrdinals),
}

impl Ordinals {
    /// Opens the ordinals of so many items.
    pub(crate) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let section = ordinals_of(section);
        let bytes: Rows<u8> = file.rows(&section)?;
        // Of no items, any width will do.
        match bytes.len() {
            length if length == items => Ok(Self::Byte(bytes)),
            length if length == items * 2 => file.rows(&section).map(Self::Short),
            length if length == items * 4 => file.rows(&section).map(Self::Long),
            length => Err(file.inconsistent(format!("{section}: has {length} bytes of {items} items"))),
        }
    }

    /// Writes the number of each item, which is at most that of the values.
    pub(crate) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let section = ordinals_of(section);
        let fits = "a number is at most that of the values";
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

    /// Opens the packed ordinals of so many items.
    pub(crate) fn open_packed(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        PackedOrdinals::open(file, &ordinals_of(section), items).map(Self::Packed)
    }

    /// Writes the number of each item, which is at most that of the values, packed: half the room, and twice
    /// the time to go through all.
    pub(crate) fn write_packed(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        PackedOrdinals::write(file, &ordinals_of(section), numbers, values);
    }

    /// Returns the ordinal of an item's value.
    pub(crate) fn get(&self, item: u32) -> Option<u32> {
        let number = match self {
            Self::Byte(numbers) => u32::from(numbers[item as usize]),
            Self::Short(numbers) => u32::from(numbers[item as usize].get()),
            Self::Long(numbers) => numbers[item as usize].get(),
            Self::Packed(numbers) => numbers.lent().get(item),
        };
        number.checked_sub(1)
    }

    /// Returns the first items of some in the order of their ordinals.
    pub(crate) fn first(&self, items: Items<'_>, order: Order, ties: Ties<'_>) -> Vec<u32> {
        match self {
            Self::Byte(numbers) => {
                let numbers = &**numbers;
                order.first(items, |item| numbers[item as usize].into(), ties)
            }
            Self::Short(numbers) => {
                let numbers = &**numbers;
                order.first(items, |item| numbers[item as usize].get().into(), ties)
            }
            Self::Long(numbers) => {
                let numbers = &**numbers;
                order.first(items, |item| numbers[item as usize].get(), ties)
            }
            Self::Packed(numbers) => {
                let numbers = numbers.lent();
                order.first(items, |item| numbers.get(item), ties)
            }
        }
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
        let is_wanted = |number: u32| number.checked_sub(1).is_some_and(&is_wanted);
        let all = 0..self.len() as u32;
        match self {
            Self::Byte(numbers) => {
                let numbers = &**numbers;
                items.add_where(all, |item| is_wanted(numbers[item as usize].into()));
            }
            Self::Short(numbers) => {
                let numbers = &**numbers;
                items.add_where(all, |item| is_wanted(numbers[item as usize].get().into()));
            }
            Self::Long(numbers) => {
                let numbers = &**numbers;
                items.add_where(all, |item| is_wanted(numbers[item as usize].get()));
            }
            Self::Packed(numbers) => {
                let numbers = numbers.lent();
                items.add_where(all, |item| is_wanted(numbers.get(item)));
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Byte(numbers) => numbers.len(),
            Self::Short(numbers) => numbers.len(),
            Self::Long(numbers) => numbers.len(),
            Self::Packed(numbers) => numbers.len(),
        }
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
