//! The filter for a place search. See `PlaceFilter` in openapi.yaml.

use dataset::{AreaKind, AreaNames, Geographies, GeographyIndex, PlaceQuery, Places, normalize};
use deserr::Deserr;
use gateway::{
    GeoBoundingBox, GeoDistance, InvalidValue, Items, SearchText, Violations, Warning, Warnings, quoted,
    unknown_name,
};

use crate::area::{circle, rectangle};
use crate::id::{RequestedPlace, RequestedPlaceType};

/// The maximum number of IDs in a filter.
const MAX_IDS: usize = 1_000;

/// The criteria that places must meet.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct PlaceFilter {
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

/// The release data that a filter is resolved against.
#[derive(Clone, Copy)]
pub struct SearchedPlaces<'a> {
    pub places: &'a Places,
    pub geographies: &'a Geographies,
    pub names: &'a AreaNames,
}

/// A search string that isn't blank, because a blank one wouldn't restrict the search.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(SearchText) = FilterText::new -> InvalidValue)]
struct FilterText(String);

impl PlaceFilter {
    /// Converts the filter to a query, and resolves its place type, state, DMA, and county. Returns a
    /// violation for each one that the release doesn't contain. `pointer` is the JSON pointer to the filter.
    pub fn into_query<'q>(
        self,
        searched: SearchedPlaces<'_>,
        pointer: &str,
    ) -> Result<PlaceQuery<'q>, Violations> {
        let text = |text: Option<FilterText>| text.map(|FilterText(text)| text);
        let mut violations = Violations::default();
        let mut add = |member, InvalidValue(detail)| violations.add(format!("{pointer}/{member}"), detail);
        let place_type_name = text(self.place_type_name);
        if let Some(Err(unknown)) = place_type_name.as_deref().map(|name| searched.check_type(name)) {
            add("place_type_name", unknown);
        }
        let state = text(self.state).map(|name| searched.state_named(&name)).transpose();
        let state = state.unwrap_or_else(|unknown| {
            add("state", unknown);
            None
        });
        let mut areas = |member, kind, name: Option<FilterText>| {
            let found = searched.areas_named(kind, &name?.0);
            found.map_err(|unknown| add(member, unknown)).ok()
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
            circle: self.geo_distance.map(circle),
            rectangle: self.geo_bounding_box.map(rectangle),
            ..PlaceQuery::default()
        })
    }
}

impl SearchedPlaces<'_> {
    /// Adds a warning if the release doesn't contain the brand in the query. `pointer` is the JSON pointer to
    /// the filter.
    pub fn warn_of_unknown_brand(self, query: &PlaceQuery<'_>, pointer: &str, warnings: &mut Warnings) {
        let Some(brand) = &query.brand else { return };
        let key = normalize(brand);
        if self.places.has_brand(&key) {
            return;
        }
        let nearest = nearest(&key, self.places.brand_names(), key.len() / 3);
        let nearest = nearest.map_or_else(String::new, |known| format!("; the closest match is \"{known}\""));
        let detail = format!("{} is not a brand in this release{nearest}", quoted(brand));
        warnings.add(|| Warning { pointer: format!("{pointer}/brand"), detail });
    }

    /// Returns the areas of the given kind and name. If there are none in the release, returns an error with
    /// the closest names.
    fn areas_named(self, kind: AreaKind, name: &str) -> Result<Vec<GeographyIndex>, InvalidValue> {
        let areas = self.names.find(kind, name);
        if areas.is_empty() {
            let nearest = self.names.nearest(kind, name);
            return Err(InvalidValue(unknown_name(kind.name(), name, &nearest, kind.list())));
        }
        Ok(areas.to_vec())
    }

    /// Returns the name by which to search for a state: `name` if any place has it, otherwise the geography's
    /// name. Returns an error if neither places nor geographies have this name.
    fn state_named(self, name: &str) -> Result<String, InvalidValue> {
        if self.places.has_state(&normalize(name)) {
            return Ok(name.to_owned());
        }
        let states = self.areas_named(AreaKind::State, name)?;
        Ok(self.geographies.get(states[0]).name.to_owned())
    }

    /// Returns an error with the closest name if the release doesn't contain the place type.
    fn check_type(self, name: &str) -> Result<(), InvalidValue> {
        let key = normalize(name);
        if self.places.has_type(&key) {
            return Ok(());
        }
        let names = self.places.place_types().map(|known| known.name);
        let nearest: Vec<_> = nearest(&key, names, usize::MAX).into_iter().collect();
        Err(InvalidValue(unknown_name("place type", name, &nearest, "GET /v2/place/types")))
    }
}

/// Returns the name with the most similar spelling, if it differs by at most `limit` characters. Names that
/// are much longer or shorter are skipped, because a release can have thousands of brands.
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
