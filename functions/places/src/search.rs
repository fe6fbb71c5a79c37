use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::extract::State;
use dataset::{GeographyIndex, GeographyType, Place, PlaceId, PlaceQuery, PlaceSort, PlaceSortField, fold};
use serde::Serialize;
use shared::http::{ApiError, JsonBody, Reply};
use shared::input::wire::{At, Members, Violations, shown};
use shared::input::{Page, PageBounds, PagePosition};

use crate::Release;

/// Pages of the search (Specification, Limits, Inventory search default page size and depth).
const PAGES: PageBounds = PageBounds { default_size: 50, max_size: 10_000, max_depth: Some(10_000) };

/// The ids that a place may have.
const PLACE_IDS: RangeInclusive<u64> = 1..=999_999_999_999;

/// The most ids that a filter may name.
const MAX_IDS: usize = 1_000;

/// The places that a search finds (Specification, Analytics response shapes).
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
pub(crate) async fn search(State(release): State<Arc<Release>>, body: JsonBody) -> Result<Reply<Found>, ApiError> {
    let mut violations = Violations::default();
    let asked = At::root(&body.0).object(&mut violations, |members, violations| read(members, &release, violations));
    let (query, page) = violations.or_value(asked)?;
    let found = release.places.search(&query);
    let results = found.places.iter().map(|place| FoundPlace::new(&release, &release.places.get(*place))).collect();
    let data = FoundData { results, pagination: page.position(found.total) };
    let found = Reply::flat(Found { status: "success", data }).or_too_large(too_large(page));
    Ok(found.with_provenance(release.about_places.clone()))
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
fn too_large(page: Page) -> Violations {
    let detail = format!("a page of {} of these places is larger than an answer may be; make it smaller", page.size);
    let mut violations = Violations::default();
    violations.add("/pagination/page_size", detail);
    violations
}

fn read(members: &mut Members<'_>, release: &Release, violations: &mut Violations) -> Option<(PlaceQuery, Page)> {
    let query = members.optional("filter", violations, |at, violations| {
        at.object(violations, |members, violations| read_filter(members, release, violations))
    });
    let page = members.optional("pagination", violations, |at, violations| Page::read(at, PAGES, violations));
    let sort = members.optional("sort", violations, |at, violations| at.object(violations, read_sort));
    let page = page?.unwrap_or(Page::first(PAGES));
    let query = PlaceQuery {
        sort: sort?.unwrap_or_default(),
        skip: page.skip(),
        take: page.size,
        ..query?.unwrap_or_default()
    };
    Some((query, page))
}

fn read_filter(members: &mut Members<'_>, release: &Release, violations: &mut Violations) -> Option<PlaceQuery> {
    let place_name = members.optional("place_name", violations, text);
    let place_type_name = members.optional("place_type_name", violations, text);
    let city = members.optional("city", violations, text);
    let state = members.optional("state", violations, text);
    let zip_code = members.optional("zip_code", violations, text);
    let dma_name = members.optional("dma_name", violations, text);
    let address = members.optional("address", violations, text);
    let place_ids =
        members.optional("place_ids", violations, |at, violations| at.items(violations, 1, MAX_IDS, place_id));
    let place_type_ids = members
        .optional("place_type_ids", violations, |at, violations| at.items(violations, 1, MAX_IDS, place_type_id));
    Some(PlaceQuery {
        place_name: place_name?,
        place_type_name: place_type_name?,
        city: city?,
        state: state?.map(|state| release.abbreviation(&state)),
        zip_code: zip_code?,
        dmas: dma_name?.map(|name| dmas(release, &name)),
        address: address?,
        place_ids: place_ids?,
        place_type_ids: place_type_ids?,
        ..PlaceQuery::default()
    })
}

fn read_sort(members: &mut Members<'_>, violations: &mut Violations) -> Option<PlaceSort> {
    let field = members.optional("active", violations, |at, violations| {
        let text = at.text(violations)?;
        let field = PlaceSortField::ALL.into_iter().find(|field| field.as_str() == text);
        if field.is_none() {
            let fields = PlaceSortField::ALL.map(PlaceSortField::as_str).join(", ");
            at.refuse(violations, format!("must be one of {fields}, is {}", shown(text)));
        }
        field
    });
    let descending = members.optional("direction", violations, |at, violations| match at.text(violations)? {
        "asc" => Some(false),
        "desc" => Some(true),
        other => {
            at.refuse(violations, format!("must be asc or desc, is {}", shown(other)));
            None
        }
    });
    Some(PlaceSort { field: field?.unwrap_or(PlaceSortField::PlaceName), descending: descending?.unwrap_or(false) })
}

/// Reads a text to look for. A blank one is refused: what it asks for cannot be everything.
fn text(at: At<'_>, violations: &mut Violations) -> Option<String> {
    let text = at.search_text(violations)?;
    // An accent alone is no text either.
    if fold(text).is_empty() {
        at.refuse(violations, "must not be blank");
        return None;
    }
    Some(text.to_owned())
}

/// Reads a place's id, as a number or, as the search itself gives it, as a text of digits.
pub(crate) fn place_id(at: At<'_>, violations: &mut Violations) -> Option<PlaceId> {
    let id = at.integer_or_digits(violations)?;
    let place = u64::try_from(id).ok().filter(|id| PLACE_IDS.contains(id)).map(PlaceId::from_raw);
    if place.is_none() {
        let (first, last) = (PLACE_IDS.start(), PLACE_IDS.end());
        at.refuse(violations, format!("must be a place id from {first} to {last}, is {id}"));
    }
    place
}

fn place_type_id(at: At<'_>, violations: &mut Violations) -> Option<u32> {
    let id = at.integer_or_digits(violations)?;
    let place_type = u32::try_from(id).ok();
    if place_type.is_none() {
        at.refuse(violations, format!("must be a place type id from 0 to {}, is {id}", u32::MAX));
    }
    place_type
}

/// Returns the markets of a name, compared as all texts are.
fn dmas(release: &Release, name: &str) -> Vec<GeographyIndex> {
    let name = fold(name);
    let dmas = release.geographies.of_type(GeographyType::Dma);
    dmas.filter(|dma| fold(release.geographies.get(*dma).name) == name).collect()
}
