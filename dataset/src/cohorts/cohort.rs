//! A cohort, as a release is told of it.

use uuid::Uuid;

use super::cells::CellSet;

/// The namespace of the cohorts' ids: with the key it gives an id that no release changes.
const NAMESPACE: Uuid = Uuid::from_u128(0xa18a_1565_db24_4681_a282_e4bb_b3da_7f95);

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
    /// Whether the reports of places carry it too.
    pub anytime: bool,
}

impl Cohort {
    /// Returns the id, which follows from the key alone.
    pub fn id(&self) -> Uuid {
        Uuid::new_v5(&NAMESPACE, self.key.as_bytes())
    }
}
