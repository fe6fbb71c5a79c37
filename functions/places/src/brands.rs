//! `GET /v2/place/brands`: the brands that the release contains.

use std::sync::Arc;

use axum::extract::State;
use dataset::Brand;
use gateway::Reply;
use serde::Serialize;

use crate::Release;
use crate::place_types::ListedType;

/// A brand with the number of its places by type and state. See `PlaceBrand` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ListedBrand {
    brand: String,
    count: usize,
    place_types: Vec<ListedType>,
    states: Vec<StateCount>,
    states_without_places: Vec<String>,
}

/// The number of a brand's places in one state.
#[derive(Debug, Serialize)]
struct StateCount {
    state: String,
    count: usize,
}

/// Responds with the brands that have at least one place, sorted by name.
pub(crate) async fn list(State(release): State<Arc<Release>>) -> Reply<Vec<ListedBrand>> {
    let brands = release.places.brands().map(ListedBrand::from);
    Reply::new(brands.collect()).with_provenance(release.about_places.clone())
}

impl From<Brand<'_>> for ListedBrand {
    fn from(brand: Brand<'_>) -> Self {
        let (with, without): (Vec<_>, Vec<_>) = brand.by_state.into_iter().partition(|(_, count)| *count > 0);
        Self {
            brand: brand.name.to_owned(),
            count: brand.count,
            place_types: brand.place_types.into_iter().map(ListedType::from).collect(),
            states: with
                .into_iter()
                .map(|(state, count)| StateCount { state: state.to_owned(), count })
                .collect(),
            states_without_places: without.into_iter().map(|(state, _)| state.to_owned()).collect(),
        }
    }
}
