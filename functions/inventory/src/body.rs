//! The body of a search: `InventorySearchRequest` in openapi.yaml.

use dataset::inventory::{Field, FieldSet, InventoryQuery, InventorySort, InventorySortKey, SortField};
use deserr::Deserr;
use gateway::{
    DISTANCE, InvalidValue, Items, JsonBody, SearchPage, SortOrder, Violations, distances_without_circle,
    shown,
};

use crate::filter::Filter;

/// The most paths that a request may name: several times as many as there are.
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
}

#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Default, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Sort {
    field: Option<SortPath>,
    order: Option<SortOrder>,
}

/// What a result is to have: fields of the record, and the distance beside it.
#[derive(Clone, Copy)]
pub(crate) struct AskedFields {
    pub(crate) record: FieldSet,
    pub(crate) distance: bool,
}

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = FieldPath::new -> InvalidValue)]
struct FieldPath(AskedFields);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = SortPath::new -> InvalidValue)]
enum SortPath {
    Field(SortField),
    Distance,
}

impl SearchBody {
    /// Reads a body.
    ///
    /// # Errors
    ///
    /// All that is wrong with it. A filter under both of its names is, since one of them would have to be
    /// passed over, and a distance that is from nowhere.
    pub(crate) fn read(body: JsonBody) -> Result<Self, Violations> {
        let mut violations = distances_without_circle(body.raw(), &["filter", "filters"], "field");
        let has = |name| body.raw().get(name).is_some_and(|filter| !filter.is_null());
        if has("filter") && has("filters") {
            violations.add("/filters", "is another name of filter, and both are there; send one of the two");
        }
        violations.and(body.read())
    }

    pub(crate) fn page(&self) -> SearchPage {
        self.pagination.unwrap_or_default()
    }

    /// Returns the fields that are asked for. Without any, everything is.
    pub(crate) fn fields(&self) -> AskedFields {
        let paths = self.field_set.as_ref().map_or(&[][..], Items::as_slice);
        if paths.is_empty() {
            return AskedFields { record: FieldSet::ALL, distance: true };
        }
        paths.iter().fold(AskedFields::NONE, |fields, FieldPath(more)| fields.or(*more))
    }

    pub(crate) fn into_query(self) -> InventoryQuery {
        let page = self.page();
        let Self { filter, filters, field_set: _, pagination: _, sort } = self;
        let Sort { field, order } = sort.unwrap_or_default();
        let Filter(criteria) = filter.or(filters).unwrap_or_default();
        let key = match (field, &criteria.circle) {
            (Some(SortPath::Field(field)), _) => InventorySortKey::Field(field),
            (Some(SortPath::Distance), Some(circle)) => InventorySortKey::DistanceFrom(circle.center),
            // Distances without a circle were refused.
            (None | Some(SortPath::Distance), _) => InventorySortKey::default(),
        };
        let sort = InventorySort { key, descending: order == Some(SortOrder::Desc) };
        InventoryQuery { sort, skip: page.skip(), take: page.size(), ..criteria }
    }
}

impl AskedFields {
    const NONE: Self = Self { record: FieldSet::NONE, distance: false };

    /// Lists the paths of the fields.
    pub(crate) fn paths(self) -> impl Iterator<Item = &'static str> {
        let of_record = Field::ALL.into_iter().filter(move |field| self.record.has(*field)).map(Field::path);
        of_record.chain(self.distance.then_some(DISTANCE))
    }

    fn or(self, other: Self) -> Self {
        Self { record: self.record.or(other.record), distance: self.distance || other.distance }
    }
}

impl FieldPath {
    fn new(path: &str) -> Result<Self, InvalidValue> {
        if path == DISTANCE {
            return Ok(Self(AskedFields { distance: true, ..AskedFields::NONE }));
        }
        let why = "is no field of a record; fields are paths such as id, location.state and layouts.faces";
        let record = FieldSet::at(path).ok_or_else(|| InvalidValue(format!("{}: {why}", shown(path))))?;
        Ok(Self(AskedFields { record, distance: false }))
    }
}

impl SortPath {
    fn new(path: &str) -> Result<Self, InvalidValue> {
        if path == DISTANCE {
            return Ok(Self::Distance);
        }
        let invalid = || InvalidValue(format!("{}: {}", shown(path), why_not_sorted_by(path)));
        SortField::find(path).map(Self::Field).ok_or_else(invalid)
    }
}

fn why_not_sorted_by(path: &str) -> &'static str {
    if Field::ALL.iter().any(|field| field.path() == path) {
        "has several values in a record; sort by a field that has one, such as id or location.dma_name"
    } else if FieldSet::at(path).is_some() {
        "has members; sort by one of them that has one value, as location.dma_name has"
    } else {
        "is no field of a record; sort by a path such as id, media_name and location.dma_name"
    }
}
