//! A cohort, as a release is told of it.

use provenance::Maturity;
use uuid::Uuid;

use super::cells::CellSet;

/// The namespace of the cohorts' ids: with the key it gives an id that no release changes.
const NAMESPACE: Uuid = Uuid::from_u128(0xa18a_1565_db24_4681_a282_e4bb_b3da_7f95);

/// Where the shares come from by which the persons of a cohort are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSource<'a> {
    /// Who surveyed or counted, and in which table it stands.
    pub source: &'a str,
    /// The year, or the years from the first to the last, such as `2010-2014`.
    pub vintage: &'a str,
    /// How far persons can be relied on that follow from these shares.
    pub maturity: Maturity,
}

/// A cohort that a release can say the persons of.
#[derive(Debug)]
pub struct Cohort {
    /// What its id is made of; it never changes.
    pub key: &'static str,
    pub kind: &'static str,
    pub category: &'static str,
    pub description: &'static str,
    /// The cells that it is the sum of.
    pub cells: CellSet,
    pub shares: ShareSource<'static>,
    /// Whether the reports of places carry it too.
    pub anytime: bool,
}

impl Cohort {
    /// Returns the id, which follows from the key alone.
    pub fn id(&self) -> Uuid {
        Uuid::new_v5(&NAMESPACE, self.key.as_bytes())
    }
}
