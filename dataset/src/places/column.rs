use zerocopy::little_endian::U32;

use crate::ReleaseError;
use crate::file::{Rows, SectionFile};
use crate::vocabulary::Vocabulary;

/// The values of a field of which each place has one.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) values: Vocabulary,
    /// The position of each place's value, by which places are sorted too.
    pub(super) numbers: Rows<U32>,
}

impl Column {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { values: Vocabulary::open(file, section)?, numbers: file.rows(&numbers_of(section))? })
    }
}

pub(super) fn numbers_of(section: &str) -> String {
    format!("{section}.numbers")
}
