//! The definition of a cohort for a release.

use provenance::Maturity;
use uuid::Uuid;

use super::cells::CellSet;

/// The namespace for cohort ids. A cohort's id is derived from it and from the cohort's key, and never
/// changes.
const NAMESPACE: Uuid = Uuid::from_u128(0xa18a_1565_db24_4681_a282_e4bb_b3da_7f95);

/// The source of the shares from which a cohort's persons are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSource<'a> {
    /// The survey or census, and the table.
    pub source: &'a str,
    /// A year or a range of years, for example `2010-2014`.
    pub vintage: &'a str,
    /// The maturity of counts that are computed from these shares.
    pub maturity: Maturity,
}

/// A cohort whose persons a release contains.
#[derive(Debug)]
pub struct Cohort {
    /// The stable key, from which the id is derived.
    pub key: &'static str,
    pub kind: &'static str,
    pub category: &'static str,
    pub description: &'static str,
    /// The cells that the cohort consists of.
    pub cells: CellSet,
    pub shares: ShareSource<'static>,
    /// Whether place reports include the cohort.
    pub anytime: bool,
}

impl Cohort {
    /// Returns the id, which depends only on the key.
    pub fn id(&self) -> Uuid {
        Uuid::new_v5(&NAMESPACE, self.key.as_bytes())
    }
}
