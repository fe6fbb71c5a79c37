//! Cohort definitions and the sources of their population shares.

use provenance::{Maturity, Resolution};
use uuid::Uuid;

use super::cells::CellSet;

/// The namespace for cohort IDs. A cohort's ID is derived from this namespace and the cohort's key, so this
/// constant must never change.
const NAMESPACE: Uuid = Uuid::from_u128(0xa18a_1565_db24_4681_a282_e4bb_b3da_7f95);

/// The source of the population shares that a cohort's counts are based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSource<'a> {
    /// A citation of the survey or census, and of its table.
    pub source: &'a str,
    /// The year or years that the data describes, such as `2010-2014`.
    pub vintage: &'a str,
    /// The maturity of counts that are computed from these shares.
    pub maturity: Maturity,
    /// The smallest type of area for which the shares are available.
    pub resolution: Resolution,
}

/// A cohort definition. A release contains the cohort's population in each geography.
#[derive(Debug)]
pub struct Cohort {
    /// The stable key that the ID is derived from, such as `age_18_34`.
    pub key: &'static str,
    pub kind: &'static str,
    pub category: &'static str,
    pub description: &'static str,
    /// The set of cells that make up the cohort.
    pub cells: CellSet,
    pub shares: ShareSource<'static>,
    /// Whether place reports include the cohort.
    pub anytime: bool,
}

impl Cohort {
    /// Returns the ID, which depends only on the key.
    pub fn id(&self) -> Uuid {
        Uuid::new_v5(&NAMESPACE, self.key.as_bytes())
    }
}
