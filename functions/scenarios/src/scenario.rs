//! What the two families of scenarios differ in.

use accounting::Product;
use deserr::Deserr;
use gateway::{Table, Violations};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{Family, IndexedMembers};

use crate::unknown_ids::ReferencedId;

/// What a customer stores of an asset: as it is sent (`Deserr`), stored and answered (`Serialize`), and read
/// again to be edited (`DeserializeOwned`).
pub trait Scenario: Deserr<Violations> + Serialize + DeserializeOwned + Send + Sync + 'static {
    const FAMILY: Family;
    /// The product of every operation.
    const PRODUCT: Product;
    const PATHS: Paths;
    /// Its library as a table.
    const TABLE: &'static Table;

    /// What a PATCH may carry.
    type Patch: Deserr<Violations> + Send + Sync;

    /// Returns the ids of displays, places and cohorts, in the order of the body.
    fn referenced_ids(&self) -> impl Iterator<Item = ReferencedId<'_>>;

    /// Returns the members that lists find it by: `customer_scenario_id` and `name` in openapi.yaml.
    fn indexed_members(&self) -> IndexedMembers;

    /// Replaces each member that the patch carries, whole, and leaves in the patch what changes it back.
    fn apply(&mut self, patch: &mut Self::Patch);
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
