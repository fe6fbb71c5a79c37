//! `POST /v2/msearch`: place search.

use std::sync::Arc;

use axum::extract::State;
use dataset::position::UnitVector;
use dataset::{Circle, Distance, GeographyIndex, Glance, Place, PlaceIndex, Position};
use gateway::{ApiError, Caller, Code, JsonBody, PagePosition, Reply, SearchPage, Violations, Warnings};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::Release;
use crate::body::SearchBody;
use crate::fields::{PlaceField, PlaceFields};

/// The results of a place search. See `PlaceSearchReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    status: &'static str,
    data: FoundData,
}

#[derive(Debug, Serialize)]
struct FoundData {
    results: FoundPlaces,
    pagination: PagePosition,
}

/// A page of places. Serialization reads the places directly from the release.
#[derive(Debug)]
struct FoundPlaces {
    release: Arc<Release>,
    /// The places, with their visits. The visits are `None` if the place has no record, or if the response
    /// doesn't include visits.
    places: Vec<(PlaceIndex, Option<Glance>)>,
    fields: PlaceFields,
    /// The center of the search's circle. Distances are measured from it.
    center: Option<UnitVector>,
}

struct FoundPlace<'a> {
    release: &'a Release,
    place: Place<'a>,
    record: Option<Glance>,
    /// The distance from the center of the search's circle. `None` without a circle.
    distance: Option<Distance>,
    fields: PlaceFields,
}

/// A position in degrees (WGS 84).
#[derive(Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// Responds with the places that match all criteria of the filter. Anonymous callers don't get visits.
pub(crate) async fn search(
    State(release): State<Arc<Release>>,
    caller: Option<Caller>,
    body: JsonBody,
) -> Result<Reply<Found>, ApiError> {
    let body = SearchBody::read(body)?;
    let (fields, page, is_by_visits) = (body.fields(), body.page(), body.is_by_visits());
    if is_by_visits && caller.is_none() {
        return Err(visits_need_a_key());
    }
    let asks_visits = fields.has(PlaceField::WeeklyVisits) || fields.has(PlaceField::Maturity);
    let sees_visits = caller.is_some() && (is_by_visits || asks_visits);
    let query = body.into_query(&release)?;
    let mut warnings = Warnings::default();
    release.searched().warn_of_unknown_brand(&query, "/filter", &mut warnings);
    let found = release.places.search(&query);
    let glance = |place: &PlaceIndex| release.visits.get(*place).filter(|_| sees_visits);
    let glances: Vec<Option<Glance>> = found.places.iter().map(glance).collect();
    let about = release.about_found(&glances).clone();
    let sources = release.places.sources_of(&found.places);
    let center = query.circle.map(|Circle { center, .. }| center.to_unit_vector());
    let places = found.places.into_iter().zip(glances).collect();
    let results = FoundPlaces { release, places, fields, center };
    let data = FoundData { results, pagination: page.position(found.total) };
    let found = Reply::flat(Found { status: "success", data }).or_too_large(too_large(page));
    let found = if warnings.total() > 0 { found.with_warnings(warnings) } else { found };
    Ok(found.with_columns(fields.paths()).with_provenance(about).with_sources(sources))
}

fn visits_need_a_key() -> ApiError {
    let message = "anonymous callers cannot sort by visits; send an API key in `X-API-Key` or a token in \
                   `Authorization: Bearer`, or sort by another member";
    ApiError::new(Code::Unauthorized, message)
}

impl Serialize for FoundPlaces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { release, places, fields, center } = self;
        serializer.collect_seq(places.iter().map(|(index, record)| {
            let place = release.places.get(*index);
            let at = Position { latitude: place.latitude, longitude: place.longitude };
            FoundPlace {
                release,
                record: *record,
                distance: center.map(|center| Distance::between(center, at.to_unit_vector())),
                place,
                fields: *fields,
            }
        }))
    }
}

impl Serialize for FoundPlace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { release, place, record, distance, fields } = self;
        let code = |area: GeographyIndex| release.geographies.get(area).id.national_id().to_string();
        let name = |area: GeographyIndex| release.geographies.get(area).name;
        let mut members = RequestedMembers { map: serializer.serialize_map(None)?, fields: *fields };
        members.add(PlaceField::PlaceId, || place.id.to_string())?;
        members.add(PlaceField::PlaceName, || place.name)?;
        members.add(PlaceField::Brand, || place.brand)?;
        members.add(PlaceField::PlaceTypeId, || place.place_type_id)?;
        members.add(PlaceField::PlaceTypeName, || place.place_type)?;
        members.add(PlaceField::StreetAddress, || place.street_address)?;
        members.add(PlaceField::City, || place.city)?;
        members.add(PlaceField::State, || place.state)?;
        members.add(PlaceField::ZipCode, || place.zip_code)?;
        members.add(PlaceField::DmaId, || place.dma.map(code))?;
        members.add(PlaceField::DmaName, || place.dma.map(name))?;
        members.add(PlaceField::CountyId, || place.county.map(code))?;
        members.add(PlaceField::CountyName, || place.county.map(name))?;
        members.add(PlaceField::CbsaCode, || place.cbsa.map(code))?;
        members.add(PlaceField::CbsaName, || place.cbsa.map(name))?;
        if fields.has(PlaceField::Latitude) || fields.has(PlaceField::Longitude) {
            members.map.serialize_entry("location", &FoundLocation { place, fields: *fields })?;
        }
        members.add(PlaceField::WeeklyVisits, || record.map(|record| record.visits))?;
        if let Some(distance) = distance {
            members.add(PlaceField::Distance, || distance.meters())?;
        }
        members.add(PlaceField::Maturity, || release.about_found(&[*record]).data_maturity)?;
        members.map.end()
    }
}

/// A place's latitude, longitude, or both, as requested.
struct FoundLocation<'a> {
    place: &'a Place<'a>,
    fields: PlaceFields,
}

impl Serialize for FoundLocation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = RequestedMembers { map: serializer.serialize_map(None)?, fields: self.fields };
        members.add(PlaceField::Latitude, || self.place.latitude)?;
        members.add(PlaceField::Longitude, || self.place.longitude)?;
        members.map.end()
    }
}

/// A serializer for an object that contains only the requested fields.
struct RequestedMembers<M> {
    map: M,
    fields: PlaceFields,
}

impl<M: SerializeMap> RequestedMembers<M> {
    fn add<T: Serialize>(&mut self, field: PlaceField, value: impl FnOnce() -> T) -> Result<(), M::Error> {
        if self.fields.has(field) { self.map.serialize_entry(field.name(), &value()) } else { Ok(()) }
    }
}

/// Returns the error for a page that exceeds the response size limit.
fn too_large(page: SearchPage) -> Violations {
    let detail = format!(
        "is too large: a page with {} of these places exceeds the response size limit; lower page_size",
        page.size()
    );
    Violations::one("/pagination/page_size", detail)
}
