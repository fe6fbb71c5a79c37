//! Columns of values: each spot has one of them, or none.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use zerocopy::little_endian::{F64, U16, U32, U64};

use super::text::key;
use crate::ReleaseError;
use crate::file::{FileWriter, Rows, SectionFile, Texts};

/// For each spot, one more than the position of its value; 0 for none. As narrow as the number of values allows.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Byte(Rows<u8>),
    Short(Rows<U16>),
    Long(Rows<U32>),
}

impl Numbers {
    pub(super) fn open(file: &SectionFile, section: &str, values: usize) -> Result<Self, ReleaseError> {
        let section = numbers_of(section);
        Ok(match values {
            0..=0xFF => Self::Byte(file.rows(&section)?),
            0x100..=0xFFFF => Self::Short(file.rows(&section)?),
            _ => Self::Long(file.rows(&section)?),
        })
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let section = numbers_of(section);
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

    /// Returns the position of a spot's value.
    pub(super) fn get(&self, spot: u32) -> Option<u32> {
        let spot = spot as usize;
        let number = match self {
            Self::Byte(numbers) => u32::from(numbers[spot]),
            Self::Short(numbers) => u32::from(numbers[spot].get()),
            Self::Long(numbers) => numbers[spot].get(),
        };
        number.checked_sub(1)
    }

    /// Adds the spots that have one of the values.
    pub(super) fn add_those_of(&self, values: &FixedBitSet, spots: &mut FixedBitSet) {
        let mut add = |spot: usize, number: u32| {
            if number.checked_sub(1).is_some_and(|value| values.contains(value as usize)) {
                spots.insert(spot);
            }
        };
        match self {
            Self::Byte(numbers) => numbers.iter().enumerate().for_each(|(spot, number)| add(spot, u32::from(*number))),
            Self::Short(numbers) => {
                numbers.iter().enumerate().for_each(|(spot, number)| add(spot, number.get().into()))
            }
            Self::Long(numbers) => numbers.iter().enumerate().for_each(|(spot, number)| add(spot, number.get())),
        }
    }

    /// Returns how many spots there are.
    pub(super) fn len(&self) -> u32 {
        let length = match self {
            Self::Byte(numbers) => numbers.len(),
            Self::Short(numbers) => numbers.len(),
            Self::Long(numbers) => numbers.len(),
        };
        u32::try_from(length).expect("positions fit")
    }
}

/// A column of texts, by ascending key and then by themselves.
#[derive(Clone, Debug)]
pub(super) struct TextColumn {
    pub(super) numbers: Numbers,
    pub(super) values: Texts,
    /// For each value, the position of the first one with the same key; empty when every value has a key of its own.
    ranks: Rows<U32>,
}

impl TextColumn {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let values = file.texts(section)?;
        Ok(Self { numbers: Numbers::open(file, section, values.len())?, values, ranks: file.rows(&ranks_of(section))? })
    }

    /// Writes the values with their keys, and the number of each spot's.
    pub(super) fn write(file: &mut FileWriter, section: &str, values: &[(String, Box<str>)], numbers: &[u32]) {
        file.texts(section, values.iter().map(|(_, text)| &**text));
        Numbers::write(file, section, numbers, values.len());
        let mut ranks = Vec::with_capacity(values.len());
        for (at, (key, _)) in values.iter().enumerate() {
            let same = at.checked_sub(1).filter(|before| values[*before].0 == *key);
            ranks.push(same.map_or_else(|| super::number(at), |before| ranks[before]));
        }
        let is_plain = ranks.iter().enumerate().all(|(at, rank)| rank.get() as usize == at);
        file.rows(&ranks_of(section), if is_plain { &[] } else { &ranks });
    }

    /// Returns a spot's value.
    pub(super) fn get(&self, spot: u32) -> Option<&str> {
        self.numbers.get(spot).map(|value| self.values.get(value as usize))
    }

    /// Returns the values that have a key.
    pub(super) fn with_key(&self, wanted: &str) -> Range<u32> {
        let start = self.values.first_where(|text| &*key(text) >= wanted);
        super::count(start)..super::count(self.values.first_where(|text| &*key(text) > wanted))
    }

    /// Returns the key of a value.
    pub(super) fn key(&self, value: u32) -> String {
        key(self.values.get(value as usize))
    }

    /// Returns where a value stands among all; values of one key stand together.
    pub(super) fn rank(&self, value: u32) -> u32 {
        self.ranks.get(value as usize).map_or(value, |rank| rank.get())
    }

    pub(super) fn ranks(&self) -> &[U32] {
        &self.ranks
    }
}

/// A column of numbers.
#[derive(Clone, Debug)]
pub(super) struct NumberColumn {
    pub(super) numbers: Numbers,
    pub(super) values: Rows<F64>,
}

impl NumberColumn {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let values: Rows<F64> = file.rows(section)?;
        Ok(Self { numbers: Numbers::open(file, section, values.len())?, values })
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, spots: &[Option<f64>]) {
        let mut values: Vec<f64> = spots.iter().flatten().copied().collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|one, other| one.total_cmp(other).is_eq());
        let position = |value: &f64| values.binary_search_by(|other| other.total_cmp(value)).expect("it is among them");
        let number = |spot: &Option<f64>| spot.as_ref().map_or(0, |value| super::count(position(value) + 1));
        Numbers::write(file, section, &spots.iter().map(number).collect::<Vec<u32>>(), values.len());
        file.rows(section, &values.into_iter().map(F64::new).collect::<Vec<F64>>());
    }

    /// Returns a spot's value.
    pub(super) fn get(&self, spot: u32) -> Option<f64> {
        self.numbers.get(spot).map(|value| self.values[value as usize].get())
    }
}

/// One bit of each spot.
#[derive(Clone, Debug)]
pub(super) struct Bits(Rows<U64>);

impl Bits {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        file.rows(section).map(Self)
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, spots: impl Iterator<Item = bool>) {
        let mut words = Vec::new();
        for (spot, is_set) in spots.enumerate() {
            if spot % 64 == 0 {
                words.push(U64::new(0));
            }
            let word = words.last_mut().expect("one was pushed");
            *word = U64::new(word.get() | u64::from(is_set) << (spot % 64));
        }
        file.rows(section, &words);
    }

    pub(super) fn get(&self, spot: u32) -> bool {
        self.0[spot as usize / 64].get() >> (spot % 64) & 1 == 1
    }

    pub(super) fn words(&self) -> &[U64] {
        &self.0
    }
}

/// A column of yes and no.
#[derive(Clone, Debug)]
pub(super) struct FlagColumn {
    pub(super) yes: Bits,
    pub(super) no: Bits,
}

impl FlagColumn {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { yes: Bits::open(file, &yes_of(section))?, no: Bits::open(file, &no_of(section))? })
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, spots: &[Option<bool>]) {
        Bits::write(file, &yes_of(section), spots.iter().map(|flag| *flag == Some(true)));
        Bits::write(file, &no_of(section), spots.iter().map(|flag| *flag == Some(false)));
    }

    /// Returns a spot's value.
    pub(super) fn get(&self, spot: u32) -> Option<bool> {
        match (self.yes.get(spot), self.no.get(spot)) {
            (false, false) => None,
            (is_yes, _) => Some(is_yes),
        }
    }
}

fn numbers_of(section: &str) -> String {
    format!("{section}.numbers")
}

fn ranks_of(section: &str) -> String {
    format!("{section}.ranks")
}

fn yes_of(section: &str) -> String {
    format!("{section}.yes")
}

fn no_of(section: &str) -> String {
    format!("{section}.no")
}
