//! A numeric field, stored as a list of distinct values and each document's position in that list.

use zerocopy::little_endian::F64;

use super::bits::set_bit;
use super::ordinals::Ordinals;
use super::set::Set;
use super::set_builder::SetBuilder;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// A column of numbers, at most one per document.
#[derive(Clone, Debug)]
pub(crate) struct NumberColumn {
    ordinals: Ordinals,
    /// The distinct values, in ascending order.
    values: Rows<F64>,
}

impl NumberColumn {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { ordinals: Ordinals::open_packed(file, section)?, values: file.rows(section)? })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, numbers: &[Option<f64>]) {
        let mut values: Vec<f64> = numbers.iter().flatten().copied().collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|one, other| one.total_cmp(other).is_eq());
        let position = |value: &f64| {
            values.binary_search_by(|other| other.total_cmp(value)).expect("`values` contains every number")
        };
        let ordinal = |number: &Option<f64>| {
            let position = number.as_ref().map(|value| position(value) + 1);
            u32::try_from(position.unwrap_or(0)).expect("value counts fit in 32 bits")
        };
        Ordinals::write_packed(
            file,
            section,
            &numbers.iter().map(ordinal).collect::<Vec<u32>>(),
            values.len(),
        );
        file.rows(section, &values.into_iter().map(F64::new).collect::<Vec<F64>>());
    }

    /// Returns whether no document has a value.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn get(&self, document: u32) -> Option<f64> {
        self.ordinals.get(document).map(|value| self.values[value as usize].get())
    }

    /// Returns the documents whose value is at least `least`. `documents` is the total number of documents.
    pub(crate) fn at_least(&self, least: f64, documents: usize) -> Set<'static> {
        let lowest = self.values.partition_point(|value| value.get() < least);
        let mut found = SetBuilder::new(documents);
        let bits = found.as_bits();
        let is_found = |document: &u32| self.ordinals.get(*document).is_some_and(|at| at as usize >= lowest);
        (0..documents as u32).filter(is_found).for_each(|document| set_bit(bits, document));
        found.finish()
    }

    /// Returns the ordinals of the documents' values, which sort like the values.
    pub(crate) fn ordinals(&self) -> &Ordinals {
        &self.ordinals
    }
}
