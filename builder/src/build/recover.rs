//! Recovers the assigned IDs from a release, if their files were lost.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::inventory::{FieldSet, Inventory};
use dataset::{Folder, Places, Position, ReleaseError};

use super::ids::{IdKind, Ids};
use crate::{displays, places};

/// Returns the IDs of a release's records by namespace. Records without a number of their own register have
/// none. The IDs of records that are no longer in the release can't be recovered.
///
/// # Errors
///
/// Fails if the release can't be read.
pub fn recover_ids(release: &Folder, folder: &Path) -> Result<Vec<Ids>, ReleaseError> {
    let mut all = BTreeMap::<String, Ids>::new();
    let namespaces: BTreeMap<(&str, &str), &str> = release
        .manifest()
        .sources
        .iter()
        .filter_map(|source| Some(((source.name.as_str(), source.vintage.as_str()), source.ids.as_deref()?)))
        .collect();
    let inventory = Inventory::open(release)?;
    for index in inventory.indexes() {
        let record = inventory.record(index, FieldSet::ALL);
        let Some(number) = record.plant_spot_id().map(str::to_owned) else { continue };
        let source = inventory.source(index);
        let Some(namespace) = namespaces.get(&(source.name.as_str(), source.vintage.as_str())) else {
            continue;
        };
        let ids = all.entry((*namespace).to_owned()).or_insert_with(|| Ids::of(folder, namespace));
        ids.recover(IdKind::Display, inventory.id(index).raw().into(), displays::numbered(number, &record));
    }
    let places_of = Places::open(release)?;
    for index in places_of.indexes().filter(|index| !places_of.get(*index).register_id.is_empty()) {
        let place = places_of.get(index);
        let [source] = &places_of.sources_of(&[index])[..] else { continue };
        let Some(namespace) = namespaces.get(&(source.name.as_str(), source.vintage.as_str())) else {
            continue;
        };
        let position = Position { latitude: place.latitude, longitude: place.longitude };
        let number = place.register_id.to_owned();
        let ids = all.entry((*namespace).to_owned()).or_insert_with(|| Ids::of(folder, namespace));
        let numbered = places::numbered(number, place.name, place.street_address, position);
        ids.recover(IdKind::Place, place.id.raw(), numbered);
    }
    Ok(all.into_values().collect())
}
