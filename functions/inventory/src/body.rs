//! The body of an inventory search. See `InventorySearchRequest` in openapi.yaml.

use dataset::inventory::{Field, FieldSet, InventoryQuery, InventorySort, InventorySortKey, SortField};
use deserr::Deserr;
use gateway::{
    ApiError, DISTANCE, Identifier, InvalidValue, Items, JsonBody, MATURITY, SearchPage, SortOrder,
    Violations, Warnings, distances_without_circle, quoted, requests_for,
};

use crate::Release;
use crate::filter::Filter;
use crate::index::COHORT;

/// The name of the computed member that contains a record's index for the request's cohort.
pub(crate) const INDEX: &str = "index";

/// The maximum number of paths in `fieldSet`. This is several times the number of existing paths.
const MAX_PATHS: usize = 200;

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields, rename_all = camelCase)]
pub(crate) struct SearchBody {
    filter: Option<Filter>,
    filters: Option<Filter>,
    field_set: Option<Items<FieldPath, 0, MAX_PATHS>>,
    pagination: Option<SearchPage>,
    sort: Option<Sort>,
    #[deserr(rename = "service_segment_id")]
    cohort: Option<Identifier>,
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Sort {
    field: Option<SortPath>,
    order: Option<SortOrder>,
}

/// The requested fields of each result: fields of the stored record, the computed distance and index, and the
/// maturity.
#[derive(Clone, Copy)]
pub(crate) struct RequestedFields {
    pub(crate) record: FieldSet,
    pub(crate) distance: bool,
    pub(crate) index: bool,
    pub(crate) maturity: bool,
}

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = FieldPath::new -> InvalidValue)]
struct FieldPath(RequestedFields);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = SortPath::new -> InvalidValue)]
enum SortPath {
    Field(SortField),
    Distance,
    Index,
}

impl SearchBody {
    /// Reads the body. Returns all violations at once. A request must not contain both `filter` and its alias
    /// `filters`. It can request distances only with a circle, and indexes only with a cohort.
    pub(crate) fn read(body: JsonBody) -> Result<Self, Violations> {
        let mut violations = distances_without_circle(body.raw(), &["filter", "filters"], "field");
        let has = |name| body.raw().get(name).is_some_and(|member| !member.is_null());
        if !has(COHORT) {
            violations.append(requests_for(
                INDEX,
                body.raw(),
                "field",
                "without a cohort; add service_segment_id",
            ));
        }
        if has("filter") && has("filters") {
            violations.add("/filters", "is an alias of filter; send only one of them");
        }
        violations.and(body.read())
    }

    pub(crate) fn page(&self) -> SearchPage {
        self.pagination.unwrap_or_default()
    }

    /// Returns the requested fields, or all fields if `fieldSet` is missing or empty.
    pub(crate) fn fields(&self) -> RequestedFields {
        let paths = self.field_set.as_ref().map_or(&[][..], Items::as_slice);
        if paths.is_empty() {
            return RequestedFields { record: FieldSet::ALL, distance: true, index: true, maturity: true };
        }
        paths.iter().fold(RequestedFields::NONE, |fields, FieldPath(more)| fields.or(*more))
    }

    /// Returns the ID of the cohort whose index each result contains.
    pub(crate) fn cohort(&self) -> Option<&str> {
        self.cohort.as_ref().map(Identifier::as_str)
    }

    /// Returns the direction of a sort by index: `true` if the highest index comes first, and `false` if the
    /// lowest does. Returns `None` if the results aren't sorted by index.
    pub(crate) fn sorts_by_index(&self) -> Option<bool> {
        let Sort { field, order } = self.sort.as_ref()?;
        matches!(field, Some(SortPath::Index)).then_some(!matches!(order, Some(SortOrder::Asc)))
    }

    /// Converts the body to a query. Returns an error if the filter is invalid for the release, for example
    /// because of an unknown area, or if the release's places can't be fetched.
    pub(crate) async fn into_query(
        self,
        release: &Release,
        warnings: &mut Warnings,
    ) -> Result<InventoryQuery, ApiError> {
        let page = self.page();
        let Self { filter, filters, field_set: _, pagination: _, sort, cohort: _ } = self;
        let Sort { field, order } = sort.unwrap_or_default();
        let place = if filters.is_some() { "/filters" } else { "/filter" };
        let criteria = filter.or(filters).unwrap_or_default().into_query(release, place, warnings).await?;
        let key = match (field, &criteria.circle) {
            (Some(SortPath::Field(field)), _) => InventorySortKey::Field(field),
            (Some(SortPath::Distance), Some(circle)) => InventorySortKey::DistanceFrom(circle.center),
            // Sorting by distance without a circle was already rejected. Sorting by index is done by the
            // search itself, because the inventory doesn't contain indexes.
            (None | Some(SortPath::Distance | SortPath::Index), _) => InventorySortKey::default(),
        };
        let sort = InventorySort { key, descending: order == Some(SortOrder::Desc) };
        Ok(InventoryQuery { sort, skip: page.skip(), take: page.size(), ..criteria })
    }
}

impl RequestedFields {
    const NONE: Self = Self { record: FieldSet::NONE, distance: false, index: false, maturity: false };

    /// Returns the paths of the requested fields.
    pub(crate) fn paths(self) -> impl Iterator<Item = &'static str> {
        let of_record = self.record.fields().map(Field::path);
        let computed =
            [(self.distance, DISTANCE), (self.index, INDEX), (self.maturity, MATURITY)].into_iter();
        of_record.chain(computed.filter_map(|(is_requested, name)| is_requested.then_some(name)))
    }

    fn or(self, other: Self) -> Self {
        Self {
            record: self.record.or(other.record),
            distance: self.distance || other.distance,
            index: self.index || other.index,
            maturity: self.maturity || other.maturity,
        }
    }
}

impl FieldPath {
    fn new(path: &str) -> Result<Self, InvalidValue> {
        match path {
            DISTANCE => return Ok(Self(RequestedFields { distance: true, ..RequestedFields::NONE })),
            INDEX => return Ok(Self(RequestedFields { index: true, ..RequestedFields::NONE })),
            MATURITY => return Ok(Self(RequestedFields { maturity: true, ..RequestedFields::NONE })),
            _ => {}
        }
        let rule = "must be the path of a field, such as id, location.state, or layouts.faces";
        let record = FieldSet::at(path).ok_or_else(|| InvalidValue::quoting(rule, path))?;
        Ok(Self(RequestedFields { record, ..RequestedFields::NONE }))
    }
}

impl SortPath {
    fn new(path: &str) -> Result<Self, InvalidValue> {
        match path {
            DISTANCE => Ok(Self::Distance),
            INDEX => Ok(Self::Index),
            _ => SortField::find(path).map(Self::Field).ok_or_else(|| InvalidValue(why_not_sorted_by(path))),
        }
    }
}

fn why_not_sorted_by(path: &str) -> String {
    let (got, examples) = (quoted(path), "such as id, media_name, or location.dma_name");
    if Field::ALL.iter().any(|field| field.path() == path) {
        format!("cannot be {got}, which isn't sortable; use a single-valued field, {examples}")
    } else if FieldSet::at(path).is_some() {
        format!("cannot be {got}, which has nested members; use a single-valued field, {examples}")
    } else {
        format!("must be the path of a field, {examples}, got {got}")
    }
}
