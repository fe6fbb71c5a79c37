//! The body of a request for population at home, and the query that it's converted to.

use std::str::FromStr;

use dataset::{Geographies, GeographyId, GeographyIndex};
use deserr::Deserr;
use gateway::{Bounded, Identifier, InvalidValue, Items, Page, SearchText, SortOrder, Violations};
use strum::{EnumString, VariantNames};

use crate::Release;
use crate::area_type::AreaType;
use crate::state::find_state;

/// A page of areas. The default page size is large enough for all areas of any type except ZIP codes. Even a
/// response with 10,000 ZIP codes, the maximum, stays within Lambda's 6 MB limit.
pub(crate) type AreaPage = Page<5_000, 10_000, { usize::MAX }>;

/// The maximum number of areas that a request can name.
const MAX_AREAS: usize = 1_000;

/// The default minimum population of areas that are ranked by share or index. In smaller areas, a few people
/// would determine the rank. The default doesn't apply if the request names the areas.
const RANKED_POPULATION: u64 = 500;

/// The request body. See `PopulationAtHomeRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct AtHomeBody {
    service_segment_id: Identifier,
    geography_type: Items<AreaType, 1, 1>,
    geography_ids: Option<Items<RequestedArea, 1, MAX_AREAS>>,
    state: Option<SearchText>,
    min_population: Option<Bounded<1, { u32::MAX as usize }>>,
    pagination: Option<AreaPage>,
    sort: Option<AreaSort>,
}

/// A valid geography ID, which the release doesn't necessarily contain.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = RequestedArea::new -> InvalidValue)]
struct RequestedArea(GeographyId);

/// How areas are sorted. Areas with equal values remain sorted by ID.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Clone, Copy, Debug, Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct AreaSort {
    pub(crate) active: Option<AreaSortField>,
    pub(crate) direction: Option<SortOrder>,
}

/// The fields that areas can be sorted by.
#[derive(Clone, Copy, Debug, Default, Deserr, EnumString, VariantNames)]
#[deserr(error = Violations, try_from(&String) = AreaSortField::from_str -> InvalidValue)]
#[strum(serialize_all = "snake_case")]
#[strum(parse_err_ty = InvalidValue, parse_err_fn = InvalidValue::no_variant::<AreaSortField>)]
pub(crate) enum AreaSortField {
    #[default]
    GeographyId,
    Persons,
    CompositionPercent,
    CompositionIndex,
}

#[derive(Debug)]
pub(crate) struct AtHomeQuery {
    pub(crate) segment_id: String,
    pub(crate) area_type: AreaType,
    /// The requested areas, sorted by ID as text.
    pub(crate) areas: Vec<GeographyIndex>,
    /// Whether the request names areas or a state. If so, the result may not cover all areas of the type.
    pub(crate) is_narrowed: bool,
    /// The minimum population of an area.
    pub(crate) min_population: u64,
    pub(crate) sort: AreaSort,
    pub(crate) page: AreaPage,
}

impl AtHomeBody {
    /// Converts the body to a query. Returns an error for an unknown state, unknown areas, and areas of a
    /// different type.
    pub(crate) fn into_query(self, release: &Release) -> Result<AtHomeQuery, Violations> {
        let geographies = &release.geographies;
        let Self {
            service_segment_id,
            geography_type,
            geography_ids,
            state,
            min_population,
            pagination,
            sort,
        } = self;
        let area_type = geography_type.into_one();
        let mut violations = Violations::default();
        let has_ids = geography_ids.is_some();
        let is_narrowed = has_ids || state.is_some();
        let asked = geography_ids.map(|ids| find_areas(geographies, area_type, &ids, &mut violations));
        let state = state.map(|text| find_state(&release.names, &text.into_string())).transpose();
        let state = state.map_err(|InvalidValue(detail)| violations.add("/state", detail)).ok().flatten();
        let mut areas = area_type.areas(geographies, state);
        if let Some(asked) = asked {
            areas.retain(|area| asked.binary_search(area).is_ok());
        }
        let sort = sort.unwrap_or_default();
        let min_population = match min_population {
            Some(min) => min.get() as u64,
            None if has_ids => 1,
            None => sort.min_population(),
        };
        violations.or(AtHomeQuery {
            segment_id: service_segment_id.into_string(),
            area_type,
            areas,
            is_narrowed,
            min_population,
            sort,
            page: pagination.unwrap_or_default(),
        })
    }
}

impl AreaSort {
    fn min_population(self) -> u64 {
        match self.active.unwrap_or_default() {
            AreaSortField::CompositionPercent | AreaSortField::CompositionIndex => RANKED_POPULATION,
            AreaSortField::GeographyId | AreaSortField::Persons => 1,
        }
    }
}

/// Returns the areas with the given IDs, in the release's order. Adds a violation for each ID that is unknown
/// or of a different type.
fn find_areas<const MIN: usize, const MAX: usize>(
    geographies: &Geographies,
    area_type: AreaType,
    ids: &Items<RequestedArea, MIN, MAX>,
    violations: &mut Violations,
) -> Vec<GeographyIndex> {
    let mut areas = Vec::new();
    for (at, RequestedArea(id)) in ids.as_slice().iter().enumerate() {
        let pointer = || format!("/geography_ids/{at}");
        match geographies.find(id) {
            Some(area) if area_type.has(id.geography_type()) => areas.push(area),
            Some(_) => {
                violations.add(pointer(), format!("must be a geography of type {area_type}, got \"{id}\""))
            }
            None => violations.add(
                pointer(),
                format!(
                    "must be a geography in this release, got \"{id}\"; find markets with GET /v2/markets"
                ),
            ),
        }
    }
    areas.sort_unstable();
    areas
}

impl RequestedArea {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self).map_err(|rule| InvalidValue::quoting(rule, text))
    }
}
