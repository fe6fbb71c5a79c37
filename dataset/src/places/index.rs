//! Values and the places that have them.

use std::ops::Range;

use zerocopy::little_endian::U32;

use crate::ReleaseError;
use crate::file::{Rows, SectionFile, Texts};

/// The places of each value, ascending.
#[derive(Clone, Debug)]
pub(super) struct Postings {
    ends: Rows<U32>,
    places: Rows<U32>,
}

impl Postings {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { ends: file.rows(&ends_of(section))?, places: file.rows(&places_of(section))? })
    }

    /// Returns the places of a value.
    pub(super) fn get(&self, value: usize) -> &[U32] {
        self.of_all(value..value + 1)
    }

    /// Returns the places of neighbouring values, one value after the other.
    pub(super) fn of_all(&self, values: Range<usize>) -> &[U32] {
        let end_of = |value: usize| value.checked_sub(1).map_or(0, |before| self.ends[before].get() as usize);
        &self.places[end_of(values.start)..end_of(values.end)]
    }

    pub(super) fn ends(&self) -> &[U32] {
        &self.ends
    }

    pub(super) fn places(&self) -> &[U32] {
        &self.places
    }
}

/// Ascending folded texts and the places that have them.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub(super) texts: Texts,
    pub(super) postings: Postings,
}

impl Vocabulary {
    pub(super) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { texts: file.texts(section)?, postings: Postings::open(file, section)? })
    }

    /// Finds a folded text.
    pub(super) fn find(&self, folded: &str) -> Option<usize> {
        let at = self.texts.first_where(|text| text >= folded);
        (at < self.texts.len() && self.texts.get(at) == folded).then_some(at)
    }

    /// Finds the folded texts that begin with one.
    pub(super) fn beginning_with(&self, folded: &str) -> Range<usize> {
        let start = self.texts.first_where(|text| text >= folded);
        start..self.texts.first_where(|text| text >= folded && !text.starts_with(folded))
    }
}

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

pub(super) fn ends_of(section: &str) -> String {
    format!("{section}.places.ends")
}

pub(super) fn places_of(section: &str) -> String {
    format!("{section}.places")
}

pub(super) fn numbers_of(section: &str) -> String {
    format!("{section}.numbers")
}
