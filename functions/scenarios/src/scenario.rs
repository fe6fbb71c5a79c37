use dataset::Geographies;
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::input::wire::{Members, Violations};
use shared::types::{Family, Product};

/// What a customer stores of an asset, and how it is read, changed and billed: one of the two families.
pub trait Scenario: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The family.
    const FAMILY: Family;
    /// The product of every operation.
    const PRODUCT: Product;
    /// The paths of the library.
    const PATHS: Paths;

    /// What a PATCH may carry.
    type Patch: Send + Sync;

    /// Reads a create request; `None` when anything is wrong, which is then among the violations.
    fn read(members: &mut Members<'_>, known: &Geographies, violations: &mut Violations) -> Option<Self>;

    /// Reads a patch request; `None` when anything is wrong, which is then among the violations.
    fn read_patch(members: &mut Members<'_>, known: &Geographies, violations: &mut Violations) -> Option<Self::Patch>;

    /// Replaces each member that the patch carries, whole.
    fn patched(self, patch: &Self::Patch) -> Self;
}

/// The three paths of a library.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// The library itself.
    pub library: &'static str,
    /// Its summary.
    pub summary: &'static str,
    /// One of its assets.
    pub asset: &'static str,
}

/// Returns the new value of a member that a patch may carry.
pub(crate) fn replaced<T: Clone>(old: T, new: &Option<T>) -> T {
    new.clone().unwrap_or(old)
}
