//! Recovers assigned IDs from a release if their files are lost.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::inventory::{FieldSet, Inventory};
use dataset::{Folder, Places, Position, RecordSource, ReleaseError};

use super::ids::{IdKind, Ids};
use crate::{displays, places};

/// Returns the assigned IDs in a release, one [`Ids`] per namespace. Skips records without a register number,
/// and records from sources without a namespace. The IDs of records that are no longer in the release can't
/// be recovered.
///
/// # Errors
///
/// Fails if the release can't be read.
pub fn recover_ids(release: &Folder, folder: &Path) -> Result<Vec<Ids>, ReleaseError> {
    let mut all = BTreeMap::<String, Ids>::new();
    let mut recover = |source: RecordSource, kind, id, record| {
        let namespace = release.manifest().source_of(&source).and_then(|source| source.ids.as_deref());
        if let Some(namespace) = namespace {
            let ids = all.entry(namespace.to_owned()).or_insert_with(|| Ids::of(folder, namespace));
            ids.recover(kind, id, record);
        }
    };
    let inventory = Inventory::open(release)?;
    for index in inventory.indexes() {
        let record = inventory.record(index, FieldSet::ALL);
        if let Some(number) = record.plant_spot_id().map(str::to_owned) {
            let id = inventory.id(index).raw().into();
            recover(inventory.source(index), IdKind::Display, id, displays::numbered(number, &record));
        }
    }
    let all_places = Places::open(release)?;
    for index in all_places.indexes() {
        let place = all_places.get(index);
        if !place.register_id.is_empty() {
            let position = Position { latitude: place.latitude, longitude: place.longitude };
            let number = place.register_id.to_owned();
            let record = places::numbered(number, place.name, place.street_address, position);
            recover(all_places.source(index), IdKind::Place, place.id.raw(), record);
        }
    }
    Ok(all.into_values().collect())
}
