//! `GET /v2/place/types`: the place types that the release contains.

use std::sync::Arc;

use axum::extract::State;
use dataset::PlaceType;
use gateway::Reply;
use serde::Serialize;

use crate::Release;

/// A place type with its number of places. See `PlaceType` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ListedType {
    place_type_id: u32,
    place_type_name: String,
    count: usize,
}

/// Responds with the types that have at least one place, sorted by name.
pub(crate) async fn list(State(release): State<Arc<Release>>) -> Reply<Vec<ListedType>> {
    let types = release.places.place_types().map(ListedType::from);
    Reply::new(types.collect()).with_provenance(release.about_places.clone())
}

impl From<PlaceType<'_>> for ListedType {
    fn from(one: PlaceType<'_>) -> Self {
        Self { place_type_id: one.id, place_type_name: one.name.to_owned(), count: one.count }
    }
}
