//! The body of a place search: `PlaceSearchRequest` in openapi.yaml.

use dataset::{GeographyIndex, GeographyType, PlaceId, PlaceQuery, PlaceSort, PlaceSortField, fold};
use deserr::Deserr;
use shared::input::{InvalidValue, Items, SearchPage, SearchText, SortOrder, Violations, one_of};

use crate::Release;
use crate::id::{RequestedPlace, RequestedPlaceType};

/// The most ids that a filter may name.
const MAX_IDS: usize = 1_000;

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct SearchBody {
    filter: Option<Filter>,
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
    address: Option<FilterText>,
    place_ids: Option<Items<RequestedPlace, 1, MAX_IDS>>,
    place_type_ids: Option<Items<RequestedPlaceType, 1, MAX_IDS>>,
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Sort {
    active: Option<SortField>,
    direction: Option<SortOrder>,
}

/// A text to look for. A blank one is refused: what it asks for cannot be everything.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(SearchText) = FilterText::new -> InvalidValue)]
struct FilterText(String);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = SortField::new -> InvalidValue)]
struct SortField(PlaceSortField);

impl SearchBody {
    pub(crate) fn page(&self) -> SearchPage {
        self.pagination.unwrap_or_default()
    }

    /// Makes the query of it, the names of states and markets resolved by the release.
    pub(crate) fn into_query(self, release: &Release) -> PlaceQuery {
        let page = self.page();
        let Self { filter, pagination: _, sort } = self;
        let Sort { active, direction } = sort.unwrap_or_default();
        let sort = PlaceSort {
            field: active.map_or(PlaceSortField::PlaceName, |field| field.0),
            descending: direction == Some(SortOrder::Desc),
        };
        let criteria = filter.unwrap_or_default().into_query(release);
        PlaceQuery { sort, skip: page.skip(), take: page.size(), ..criteria }
    }
}

impl Filter {
    fn into_query(self, release: &Release) -> PlaceQuery {
        let text = |text: Option<FilterText>| text.map(|FilterText(text)| text);
        let Self {
            place_name,
            place_type_name,
            city,
            state,
            zip_code,
            dma_name,
            address,
            place_ids,
            place_type_ids,
        } = self;
        PlaceQuery {
            place_name: text(place_name),
            place_type_name: text(place_type_name),
            city: text(city),
            state: text(state).map(|state| release.abbreviation(&state)),
            zip_code: text(zip_code),
            dmas: text(dma_name).map(|name| dmas(release, &name)),
            address: text(address),
            place_ids: place_ids.map(|ids| ids.into_iter().map(PlaceId::from).collect()),
            place_type_ids: place_type_ids.map(|ids| ids.into_iter().map(u32::from).collect()),
            ..PlaceQuery::default()
        }
    }
}

impl FilterText {
    fn new(text: SearchText) -> Result<Self, InvalidValue> {
        let text = text.into_string();
        // An accent alone is no text either.
        if fold(&text).is_empty() {
            return Err(InvalidValue("must not be blank".to_owned()));
        }
        Ok(Self(text))
    }
}

impl SortField {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        let found = PlaceSortField::ALL.into_iter().find(|field| field.as_str() == text);
        found
            .map(Self)
            .ok_or_else(|| InvalidValue(one_of(&PlaceSortField::ALL.map(PlaceSortField::as_str), text)))
    }
}

/// Returns the markets of a name, compared as all texts are.
fn dmas(release: &Release, name: &str) -> Vec<GeographyIndex> {
    let name = fold(name);
    let dmas = release.geographies.of_type(GeographyType::Dma);
    dmas.filter(|dma| fold(release.geographies.get(*dma).name) == name).collect()
}
