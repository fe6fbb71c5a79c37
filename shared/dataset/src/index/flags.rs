//! A field of yes and no.

use zerocopy::little_endian::{U32, U64};

use super::bits::{Bits, count};
use super::damage::Damage;
use super::set::Set;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const YES: &str = "yes";
const NO: &str = "no";
const COUNT: &str = "count";

/// A column of yes and no. Each item has one of them, or none.
#[derive(Clone, Debug)]
pub(crate) struct FlagColumn {
    yes: StoredBits,
    no: StoredBits,
}

/// One bit of each item.
#[derive(Clone, Debug)]
pub(crate) struct StoredBits {
    words: Rows<U64>,
    /// One row: how many bits are set.
    counts: Rows<U32>,
    items: usize,
}

impl FlagColumn {
    /// Opens the column of so many items.
    pub(crate) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let open = |section: String| StoredBits::open(file, &section, items);
        Ok(Self { yes: open(subsection(section, YES))?, no: open(subsection(section, NO))? })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, flags: &[Option<bool>]) {
        StoredBits::write(file, &subsection(section, YES), flags.iter().map(|flag| *flag == Some(true)));
        StoredBits::write(file, &subsection(section, NO), flags.iter().map(|flag| *flag == Some(false)));
    }

    pub(crate) fn get(&self, item: u32) -> Option<bool> {
        match (self.yes.get(item), self.no.get(item)) {
            (false, false) => None,
            (is_yes, _) => Some(is_yes),
        }
    }

    /// Returns the items that have it, or those that lack it.
    pub(crate) fn with(&self, wanted: bool) -> Set<'_> {
        if wanted { self.yes.to_set() } else { self.no.to_set() }
    }

    /// Checks that no item both has and lacks it.
    pub(crate) fn check(&self) -> Result<(), Damage> {
        self.yes.check()?;
        self.no.check()?;
        let is_both = self.yes.words.iter().zip(&*self.no.words).any(|(yes, no)| yes.get() & no.get() != 0);
        if is_both { Err(Damage::BothFlags) } else { Ok(()) }
    }
}

impl StoredBits {
    /// Opens the bits of so many items.
    pub(crate) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let bits =
            Self { words: file.rows(section)?, counts: file.rows(&subsection(section, COUNT))?, items };
        let is_whole = bits.words.len() == items.div_ceil(64) && bits.counts.len() == 1;
        if is_whole { Ok(bits) } else { Err(file.inconsistent(format!("{section}: is cut off"))) }
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, bits: impl Iterator<Item = bool>) {
        let mut words = Vec::new();
        for (item, is_set) in bits.enumerate() {
            if item % 64 == 0 {
                words.push(U64::new(0));
            }
            let word = words.last_mut().expect("one was pushed");
            *word = U64::new(word.get() | u64::from(is_set) << (item % 64));
        }
        file.rows(section, &words);
        file.rows(&subsection(section, COUNT), &[U32::new(count(&words))]);
    }

    pub(crate) fn get(&self, item: u32) -> bool {
        self.words[item as usize / 64].get() >> (item % 64) & 1 == 1
    }

    pub(crate) fn to_set(&self) -> Set<'_> {
        Set::Bits(Bits::lent(&self.words, self.count()))
    }

    /// Returns how many bits are set.
    pub(crate) fn count(&self) -> u32 {
        self.counts[0].get()
    }

    /// Checks that so many bits are set as it says, and none beyond the last item.
    pub(crate) fn check(&self) -> Result<(), Damage> {
        let found = count(&self.words);
        let beyond = self.to_set().iter().find(|item| *item as usize >= self.items);
        match beyond {
            None if found == self.count() => Ok(()),
            _ => Err(Damage::BitCount { found, expected: self.count() }),
        }
    }
}
