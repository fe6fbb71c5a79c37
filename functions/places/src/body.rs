//! The body of a place search. See `PlaceSearchRequest` in openapi.yaml.

use dataset::{AreaKind, Circle, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey, Rectangle, normalize};
use deserr::Deserr;
use gateway::{
    DISTANCE, GeoBoundingBox, GeoDistance, InvalidValue, Items, JsonBody, SearchPage, SearchText, SortOrder,
    Violations, Warning, Warnings, distances_without_circle, one_of, quoted, unknown_name,
};

use crate::Release;
use crate::fields::PlaceFields;
use crate::id::{RequestedPlace, RequestedPlaceType};

/// The maximum number of IDs in a filter.
const MAX_IDS: usize = 1_000;

/// The maximum number of paths in `fieldSet`, several times the number of paths that exist.
const MAX_PATHS: usize = 200;

/// The name of the field that contains visits, in `fieldSet` and in `sort`.
const WEEKLY_VISITS: &str = "weekly_visits";

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct SearchBody {
    filter: Option<Filter>,
    #[deserr(rename = "fieldSet")]
    field_set: Option<Items<PlaceFields, 0, MAX_PATHS>>,
    pagination: Option<SearchPage>,
    sort: Option<Sort>,
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Filter {
    place_name: Option<FilterText>,
    place_type_name: Option<FilterText>,
    city: Option<FilterText>,
    state: Option<FilterText>,
    zip_code: Option<FilterText>,
    dma_name: Option<FilterText>,
    county_name: Option<FilterText>,
    brand: Option<FilterText>,
    address: Option<FilterText>,
    place_ids: Option<Items<RequestedPlace, 1, MAX_IDS>>,
    place_type_ids: Option<Items<RequestedPlaceType, 1, MAX_IDS>>,
    geo_distance: Option<GeoDistance>,
    geo_bounding_box: Option<GeoBoundingBox>,
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Sort {
    active: Option<SortField>,
    direction: Option<SortOrder>,
}

/// A search string. Blank strings are rejected, because they wouldn't restrict the search.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(SearchText) = FilterText::new -> InvalidValue)]
struct FilterText(String);

#[derive(Clone, Copy, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(&String) = SortField::new -> InvalidValue)]
enum SortField {
    OfPlace(PlaceSortField),
    WeeklyVisits,
    Distance,
}

impl SearchBody {
    /// Reads the body. Returns all violations, including a request for distances without a circle.
    pub(crate) fn read(body: JsonBody) -> Result<Self, Violations> {
        distances_without_circle(body.raw(), &["filter"], "active").and(body.read())
    }

    pub(crate) fn page(&self) -> SearchPage {
        self.pagination.unwrap_or_default()
    }

    /// Returns the requested fields, or all fields if the request names none.
    pub(crate) fn fields(&self) -> PlaceFields {
        let paths = self.field_set.as_ref().map_or(&[][..], Items::as_slice);
        if paths.is_empty() {
            return PlaceFields::ALL;
        }
        paths.iter().fold(PlaceFields::NONE, |fields, more| fields.or(*more))
    }

    /// Returns whether places are sorted by visits, which isn't allowed for anonymous callers.
    pub(crate) fn is_by_visits(&self) -> bool {
        self.sort.as_ref().is_some_and(|sort| sort.active == Some(SortField::WeeklyVisits))
    }

    /// Converts the body to a query, and looks up the named place type and areas. Returns an error if the
    /// release doesn't contain one of them.
    pub(crate) fn into_query(self, release: &Release) -> Result<PlaceQuery<'_>, Violations> {
        let page = self.page();
        let Self { filter, field_set: _, pagination: _, sort } = self;
        let Sort { active, direction } = sort.unwrap_or_default();
        let criteria = filter.unwrap_or_default().into_query(release)?;
        let key = match (active, &criteria.circle) {
            (Some(SortField::OfPlace(field)), _) => PlaceSortKey::Field(field),
            (Some(SortField::WeeklyVisits), _) => PlaceSortKey::WeeklyVisits(release.visits_by_place()),
            (Some(SortField::Distance), Some(circle)) => PlaceSortKey::DistanceFrom(circle.center),
            // A sort by distance without a circle was already rejected.
            (None | Some(SortField::Distance), _) => PlaceSortKey::default(),
        };
        let sort = PlaceSort { key, descending: direction == Some(SortOrder::Desc) };
        Ok(PlaceQuery { sort, skip: page.skip(), take: page.size(), ..criteria })
    }
}

impl Filter {
    fn into_query(self, release: &Release) -> Result<PlaceQuery<'_>, Violations> {
        let text = |text: Option<FilterText>| text.map(|FilterText(text)| text);
        let place_type_name = text(self.place_type_name);
        let mut violations = Violations::default();
        if let Some(name) = &place_type_name {
            known("place_type_name", known_type(release, name), &mut violations);
        }
        let state = text(self.state);
        let state = state.and_then(|name| known("state", release.state_named(&name), &mut violations));
        let mut areas = |member, kind, name: Option<FilterText>| {
            name.and_then(|FilterText(name)| known(member, release.areas_named(kind, &name), &mut violations))
        };
        let dmas = areas("dma_name", AreaKind::Dma, self.dma_name);
        let counties = areas("county_name", AreaKind::County, self.county_name);
        violations.or(PlaceQuery {
            place_name: text(self.place_name),
            place_type_name,
            city: text(self.city),
            state,
            zip_code: text(self.zip_code),
            dmas,
            counties,
            brand: text(self.brand),
            address: text(self.address),
            place_ids: self.place_ids.map(|ids| ids.into_iter().map(|RequestedPlace(id)| id).collect()),
            place_type_ids: self
                .place_type_ids
                .map(|ids| ids.into_iter().map(|RequestedPlaceType(id)| id).collect()),
            circle: self
                .geo_distance
                .map(|circle| Circle { center: circle.center().into(), km: circle.kilometres() }),
            rectangle: self.geo_bounding_box.map(|rectangle| {
                let [north, south, west, east] = rectangle.sides();
                Rectangle { north, south, west, east }
            }),
            ..PlaceQuery::default()
        })
    }
}

/// Returns the value that a name in the filter refers to, or adds the violation for an unknown name.
fn known<T>(member: &str, found: Result<T, InvalidValue>, violations: &mut Violations) -> Option<T> {
    let add = |InvalidValue(detail)| violations.add(format!("/filter/{member}"), detail);
    found.map_err(add).ok()
}

/// Returns an error if the release doesn't contain the place type. The message suggests the closest name.
fn known_type(release: &Release, name: &str) -> Result<(), InvalidValue> {
    let key = normalize(name);
    if release.places.has_type(&key) {
        return Ok(());
    }
    let names = release.places.place_types().map(|known| known.name);
    let nearest: Vec<_> = nearest(&key, names, usize::MAX).into_iter().collect();
    Err(InvalidValue(unknown_name("place type", name, &nearest, "GET /v2/place/types")))
}

/// Returns a warning if the release doesn't contain the brand of a search.
pub(crate) fn unknown_brand(release: &Release, query: &PlaceQuery<'_>) -> Option<Warnings> {
    let brand = query.brand.as_ref()?;
    let key = normalize(brand);
    if release.places.has_brand(&key) {
        return None;
    }
    let nearest = nearest(&key, release.places.brand_names(), key.len() / 3);
    let nearest = nearest.map_or_else(String::new, |known| format!("; the closest match is \"{known}\""));
    let detail = format!("{} is not a brand of this release{nearest}", quoted(brand));
    let mut warnings = Warnings::default();
    warnings.add(|| Warning { pointer: "/filter/brand".to_owned(), detail });
    Some(warnings)
}

/// Returns the name with the most similar spelling, if at most `limit` changes lead to it. Only names of a
/// similar length are compared, because a release can have thousands of brands.
fn nearest<'a>(key: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Option<&'a str> {
    let similar = names.filter(|known| known.len().abs_diff(key.len()) <= limit);
    let ranked = similar.map(|known| (strsim::damerau_levenshtein(key, &normalize(known)), known));
    let near = ranked.filter(|(distance, _)| *distance <= limit);
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

impl FilterText {
    fn new(text: SearchText) -> Result<Self, InvalidValue> {
        let text = text.into_string();
        // A string that consists only of accents is empty after normalization.
        if normalize(&text).is_empty() {
            return Err(InvalidValue("must not be blank".to_owned()));
        }
        Ok(Self(text))
    }
}

impl SortField {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        let of_place = PlaceSortField::ALL.into_iter().find(|field| field.as_str() == text);
        match (of_place, text) {
            (Some(field), _) => Ok(Self::OfPlace(field)),
            (None, WEEKLY_VISITS) => Ok(Self::WeeklyVisits),
            (None, DISTANCE) => Ok(Self::Distance),
            (None, _) => {
                let mut allowed = PlaceSortField::ALL.map(PlaceSortField::as_str).to_vec();
                allowed.extend([WEEKLY_VISITS, DISTANCE]);
                Err(InvalidValue(one_of(&allowed, text)))
            }
        }
    }
}
