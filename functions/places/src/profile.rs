//! `GET /v2/place/profiles/{place_id}`: one place, its market, and its performance.

use std::sync::Arc;

use axum::extract::State;
use dataset::{GeographyIndex, Place, PlaceId};
use gateway::{ApiError, Code, PathId, Reply};
use serde::Serialize;

use crate::Release;
use crate::performance::Performance;
use crate::release::AreaName;
use crate::search::Location;

/// A place with its market and performance. See `PlaceProfileReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct PlaceProfile {
    place_id: u64,
    name: String,
    brand: Option<String>,
    street_address: String,
    city: String,
    state: String,
    postal_code: String,
    location: Location,
    market: Market,
    place_type_id: u32,
    place_type: String,
    published_date: String,
    #[serde(flatten)]
    performance: Performance,
}

/// The areas that contain the place. An area is null if it's unknown.
#[derive(Debug, Serialize)]
struct Market {
    county: Option<AreaName>,
    state: Option<AreaName>,
    cbsa: Option<AreaName>,
    dma: Option<AreaName>,
}

/// Responds with one place. A malformed ID returns 404, like an unknown one.
pub(crate) async fn read(
    State(release): State<Arc<Release>>,
    path: PathId<PlaceId>,
) -> Result<Reply<PlaceProfile>, ApiError> {
    let id = path.or_else(not_found)?;
    let index = release.places.find(id).ok_or_else(not_found)?;
    let place = release.places.get(index);
    let measure = release.measure(id).await?;
    let about =
        measure.as_ref().map_or(&release.about_places, |measure| release.about_measures(measure.modelled));
    let (about, sources) = (about.clone(), release.places.sources_of(&[index]));
    let performance = measure.map_or_else(Performance::default, |measure| {
        Performance::new(&release.report(&measure), release.maturity(&measure))
    });
    Ok(Reply::new(PlaceProfile::new(&release, &place, performance))
        .with_provenance(about)
        .with_sources(sources))
}

impl PlaceProfile {
    fn new(release: &Release, place: &Place<'_>, performance: Performance) -> Self {
        let area = |index: Option<GeographyIndex>| index.map(|index| release.area(index));
        let parents = place.county.or(place.zip).map(|area| release.geographies.get(area));
        Self {
            place_id: place.id.raw(),
            name: place.name.to_owned(),
            brand: place.brand.map(str::to_owned),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            postal_code: place.zip_code.to_owned(),
            location: Location { lat: place.latitude, lon: place.longitude },
            market: Market {
                county: area(place.county),
                state: area(parents.and_then(|parents| parents.state)),
                cbsa: area(place.cbsa),
                dma: area(place.dma),
            },
            place_type_id: place.place_type_id,
            place_type: place.place_type.to_owned(),
            published_date: place.published_date.to_owned(),
            performance,
        }
    }
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "no place has this id; find places with POST /v2/msearch")
}
