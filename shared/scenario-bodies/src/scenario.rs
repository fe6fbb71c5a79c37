//! The trait that campaigns and events implement.

use accounting::Product;
use deserr::Deserr;
use gateway::{Table, Violations};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{Family, IndexedMembers};

use crate::unknown_ids::ReferencedId;

/// The body of an asset. It's parsed from requests (`Deserr`), serialized for storage and responses
/// (`Serialize`), and parsed from storage for edits (`DeserializeOwned`).
pub trait Scenario: Deserr<Violations> + Serialize + DeserializeOwned + Send + Sync + 'static {
    const FAMILY: Family;
    /// The product under which all operations are charged.
    const PRODUCT: Product;
    const PATHS: Paths;
    /// The columns of a list, for CSV responses.
    const TABLE: &'static Table;

    /// The body of a PATCH request.
    type Patch: Deserr<Violations> + Send + Sync;

    /// Returns the IDs of displays, places, and cohorts, in the order in which they appear in the body.
    fn referenced_ids(&self) -> impl Iterator<Item = ReferencedId<'_>>;

    /// Returns the values that lists filter by: `customer_scenario_id` and `name` in openapi.yaml.
    fn indexed_members(&self) -> IndexedMembers;

    /// Replaces each member that the patch contains. Stores the previous values in the patch, so that
    /// applying it again undoes the change.
    fn apply(&mut self, patch: &mut Self::Patch);
}

/// The three paths of a library.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// The path for listing and creating assets.
    pub library: &'static str,
    /// The path for the number of assets in each state.
    pub summary: &'static str,
    /// The path for reading, editing, and deleting one asset.
    pub asset: &'static str,
}
