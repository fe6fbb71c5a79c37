//! What an index can have wrong with it, found when a release is verified.

use thiserror::Error;

use crate::release::ReleaseError;

/// Why an index does not hold what a search relies on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Damage {
    #[error("the texts are not UTF-8 or not in order")]
    Texts,
    #[error("the ranks are not those of the texts")]
    Ranks,
    #[error("the numbers are not in order")]
    Numbers,
    #[error("an item has a value that is not there")]
    Ordinal,
    #[error("an item has it and lacks it")]
    BothFlags,
    #[error("has {found} bits; its count says {expected}")]
    BitCount { found: u32, expected: u32 },
    #[error("the items of a value end outside")]
    Ends,
    #[error("the items of value {0} are none, or not in order")]
    Items(usize),
    #[error("the items of value {0} are not those that have it")]
    OtherItems(u32),
    #[error("items of its values are missing")]
    MissingItems,
    #[error("the items with apostrophes are not there, or out of order")]
    Apostrophes,
    #[error("the frequent words are not there, or out of order")]
    FrequentWords,
    #[error("the items of the frequent word {0} are not those that have it")]
    FrequentWord(u32),
    #[error("has {keys} keys and {items} points; expected {expected}")]
    PointCount { keys: usize, items: usize, expected: usize },
    #[error("a record's layouts are not what was written")]
    Layouts,
    #[error("a record has no source, or a source is none")]
    Sources,
    #[error("the points are not in their order")]
    PointOrder,
    #[error("the point {0} is not where it should be")]
    Point(u32),
}

impl Damage {
    /// Says where it is.
    pub(crate) fn of(self, file: &str, section: &str) -> ReleaseError {
        ReleaseError::inconsistent(file, format!("{section}: {self}"))
    }
}
