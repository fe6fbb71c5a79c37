//! A boolean field, stored as two bitmaps: one for the documents that have the value true, and one for those
//! that have the value false.

use zerocopy::little_endian::{U32, U64};

use super::bits::{Bits, count};
use super::set::Set;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const YES: &str = "yes";
const NO: &str = "no";
const COUNT: &str = "count";

/// A column of booleans, at most one per document.
#[derive(Clone, Debug)]
pub(crate) struct FlagColumn {
    yes: StoredBits,
    no: StoredBits,
}

/// A bitmap in a file, with one bit per document.
#[derive(Clone, Debug)]
pub(crate) struct StoredBits {
    words: Rows<U64>,
    /// The number of set bits, in a single row.
    counts: Rows<U32>,
}

impl FlagColumn {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let open = |name: &str| StoredBits::open(file, &subsection(section, name));
        Ok(Self { yes: open(YES)?, no: open(NO)? })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, flags: &[Option<bool>]) {
        StoredBits::write(file, &subsection(section, YES), flags.iter().map(|flag| *flag == Some(true)));
        StoredBits::write(file, &subsection(section, NO), flags.iter().map(|flag| *flag == Some(false)));
    }

    pub(crate) fn get(&self, document: u32) -> Option<bool> {
        match (self.yes.get(document), self.no.get(document)) {
            (false, false) => None,
            (is_yes, _) => Some(is_yes),
        }
    }

    /// Returns the documents whose value is `wanted`.
    pub(crate) fn with(&self, wanted: bool) -> Set<'_> {
        if wanted { self.yes.to_set() } else { self.no.to_set() }
    }
}

impl StoredBits {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { words: file.rows(section)?, counts: file.rows(&subsection(section, COUNT))? })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, bits: impl Iterator<Item = bool>) {
        let mut words = Vec::new();
        for (document, is_set) in bits.enumerate() {
            if document % 64 == 0 {
                words.push(U64::new(0));
            }
            let word = words.last_mut().expect("a word was just pushed");
            *word = U64::new(word.get() | u64::from(is_set) << (document % 64));
        }
        file.rows(section, &words);
        file.rows(&subsection(section, COUNT), &[U32::new(count(&words))]);
    }

    pub(crate) fn get(&self, document: u32) -> bool {
        self.words[document as usize / 64].get() >> (document % 64) & 1 == 1
    }

    /// Returns whether the bitmap was written for zero documents.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn to_set(&self) -> Set<'_> {
        Set::Bits(Bits::lent(&self.words, self.count()))
    }

    /// Returns the number of set bits.
    pub(crate) fn count(&self) -> u32 {
        self.counts[0].get()
    }
}
