//! The trait that campaigns and events implement, and the functions that read their bodies.

use dataset::Geographies;
use deserr::Deserr;
use gateway::{ApiError, JsonBody, Violations};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{Family, IndexedMembers, StoreError};

use crate::geographies::unknown_geographies;
use crate::joins;
use crate::unknown_ids::ReferencedId;

/// An asset's body. It's parsed from requests (`Deserr`), serialized for storage and responses (`Serialize`),
/// and parsed from storage for edits (`DeserializeOwned`).
pub trait Scenario: Deserr<Violations> + Serialize + DeserializeOwned + Send + Sync + 'static {
    const FAMILY: Family;

    /// The body of a PATCH request.
    type Patch: Deserr<Violations> + Send + Sync;

    /// Returns the IDs of displays, places, and cohorts in the order in which they appear in the body.
    fn referenced_ids(&self) -> impl Iterator<Item = ReferencedId<'_>>;

    /// Returns the values that lists can be filtered by: `customer_scenario_id`, `customer_id`, and `name` in
    /// openapi.yaml.
    fn indexed_members(&self) -> IndexedMembers;

    /// Replaces the members that the patch contains. The patch then contains the previous values, so applying
    /// it again undoes the change.
    fn apply(&mut self, patch: &mut Self::Patch);
}

/// Parses a body or a patch, and checks that the release contains its cohort's geographies. Returns all
/// violations, with advice on invalid IDs.
pub fn read_body<T: Deserr<Violations>>(body: JsonBody, known: &Geographies) -> Result<T, Violations> {
    let read = unknown_geographies(&body, known).and(body.read());
    read.map_err(|violations| violations.explained(joins::source))
}

/// Parses a stored body. Returns an internal error if this fails, because the body was validated before it
/// was stored.
pub fn from_stored<S: Scenario>(json: &[u8]) -> Result<S, ApiError> {
    serde_json::from_slice(json).map_err(|_| StoreError::Corrupt("body").into())
}
