//! Place search.

use std::sync::Arc;

use axum::extract::State;
use dataset::{GeographyIndex, Place};
use release_store::with_record_sources;
use serde::Serialize;
use shared::http::{ApiError, JsonBody, Reply};
use shared::input::{PagePosition, SearchPage, Violations};

use crate::Release;
use crate::body::SearchBody;

/// The places that a search finds: `PlaceSearchReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    status: &'static str,
    data: FoundData,
}

#[derive(Debug, Serialize)]
struct FoundData {
    results: Vec<FoundPlace>,
    pagination: PagePosition,
}

#[derive(Debug, Serialize)]
struct FoundPlace {
    place_id: String,
    place_name: String,
    place_type_id: u32,
    place_type_name: String,
    street_address: String,
    city: String,
    state: String,
    zip_code: String,
    dma_id: Option<String>,
    dma_name: Option<String>,
    county_id: Option<String>,
    county_name: Option<String>,
    cbsa_code: Option<String>,
    cbsa_name: Option<String>,
    location: Location,
}

/// A position in degrees.
#[derive(Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// Answers with the places that meet every criterion of the filter.
pub(crate) async fn search(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<Found>, ApiError> {
    let body: SearchBody = body.read()?;
    let page = body.page();
    let found = release.places.search(&body.into_query(&release));
    let about = with_record_sources(&release.about_places, release.places.sources_of(&found.places));
    let results =
        found.places.iter().map(|place| FoundPlace::new(&release, &release.places.get(*place))).collect();
    let data = FoundData { results, pagination: page.position(found.total) };
    let found = Reply::flat(Found { status: "success", data }).or_too_large(too_large(page));
    Ok(found.with_provenance(about))
}

impl FoundPlace {
    fn new(release: &Release, place: &Place<'_>) -> Self {
        let code = |area: GeographyIndex| release.geographies.get(area).id.national_id().to_string();
        let name = |area: GeographyIndex| release.geographies.get(area).name.to_owned();
        Self {
            place_id: place.id.to_string(),
            place_name: place.name.to_owned(),
            place_type_id: place.place_type_id,
            place_type_name: place.place_type.to_owned(),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            zip_code: place.zip_code.to_owned(),
            dma_id: place.dma.map(code),
            dma_name: place.dma.map(name),
            county_id: place.county.map(code),
            county_name: place.county.map(name),
            cbsa_code: place.cbsa.map(code),
            cbsa_name: place.cbsa.map(name),
            location: Location { lat: place.latitude, lon: place.longitude },
        }
    }
}

/// Says that a page does not fit into an answer.
fn too_large(page: SearchPage) -> Violations {
    let detail =
        format!("a page of {} of these places is larger than an answer may be; make it smaller", page.size());
    let mut violations = Violations::default();
    violations.add("/pagination/page_size", detail);
    violations
}
