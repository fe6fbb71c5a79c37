//! The body of a place search. See `PlaceSearchRequest` in openapi.yaml.

use dataset::{PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey};
use deserr::Deserr;
use filters::PlaceFilter;
use gateway::{
    DISTANCE, InvalidValue, Items, JsonBody, SearchPage, SortOrder, Violations, distances_without_circle,
    one_of,
};

use crate::Release;
use crate::fields::PlaceFields;

/// The maximum number of paths in `fieldSet`. This is several times the number of existing paths.
const MAX_PATHS: usize = 200;

/// The name of the field that contains visits, in `fieldSet` and in `sort`.
const WEEKLY_VISITS: &str = "weekly_visits";

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct SearchBody {
    filter: Option<PlaceFilter>,
    #[deserr(rename = "fieldSet")]
    field_set: Option<Items<PlaceFields, 0, MAX_PATHS>>,
    pagination: Option<SearchPage>,
    sort: Option<Sort>,
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Sort {
    active: Option<SortField>,
    direction: Option<SortOrder>,
}

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

    /// Returns the requested fields, or all fields if `fieldSet` is missing or empty.
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

    /// Converts the body to a query and looks up the named place type and areas. Returns an error if any of
    /// them is unknown.
    pub(crate) fn into_query(self, release: &Release) -> Result<PlaceQuery<'_>, Violations> {
        let page = self.page();
        let Self { filter, field_set: _, pagination: _, sort } = self;
        let Sort { active, direction } = sort.unwrap_or_default();
        let criteria = filter.unwrap_or_default().into_query(release.searched(), "/filter")?;
        let key = match (active, &criteria.circle) {
            (Some(SortField::OfPlace(field)), _) => PlaceSortKey::Field(field),
            (Some(SortField::WeeklyVisits), _) => PlaceSortKey::WeeklyVisits(&release.visits),
            (Some(SortField::Distance), Some(circle)) => PlaceSortKey::DistanceFrom(circle.center),
            // A sort by distance without a circle was already rejected.
            (None | Some(SortField::Distance), _) => PlaceSortKey::default(),
        };
        let sort = PlaceSort { key, descending: direction == Some(SortOrder::Desc) };
        Ok(PlaceQuery { sort, skip: page.skip(), take: page.size(), ..criteria })
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
