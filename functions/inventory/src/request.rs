use dataset::fold;
use dataset::inventory::{
    Field, FieldSet, FlagCriterion, InventoryQuery, InventorySort, SortField, SpotId, TextCriterion,
};
use shared::input::wire::{At, Members, Value, Violations, shown};
use shared::input::{Page, PageBounds};

use crate::geo;

/// Pages of the search (Specification, Limits, Inventory search default page size and depth).
const PAGES: PageBounds = PageBounds { default_size: 50, max_size: 10_000, max_depth: Some(10_000) };

/// The most paths that a request may name: several times as many as there are.
const MAX_PATHS: usize = 200;

/// What a search asks for.
#[derive(Debug)]
pub(crate) struct SearchRequest {
    pub(crate) query: InventoryQuery,
    pub(crate) fields: FieldSet,
    pub(crate) page: Page,
}

impl SearchRequest {
    /// Reads a request (Specification, Inventory search).
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub(crate) fn read(body: &Value) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let request = At::root(body).object(&mut violations, read);
        violations.or_value(request)
    }
}

fn read(members: &mut Members<'_>, violations: &mut Violations) -> Option<SearchRequest> {
    let filter = read_either_filter(members, violations);
    let fields = members.optional("fieldSet", violations, read_fields);
    let page = members.optional("pagination", violations, |at, violations| Page::read(at, PAGES, violations));
    let sort = members.optional("sort", violations, |at, violations| at.object(violations, read_sort));
    let page = page?.unwrap_or(Page::first(PAGES));
    let filter = filter?.unwrap_or_default();
    let sort = sort?.unwrap_or(filter.sort);
    let query = InventoryQuery { sort, skip: page.skip(), take: page.size, ..filter };
    Some(SearchRequest { query, fields: fields?.unwrap_or(FieldSet::ALL), page })
}

/// Reads the filter under either of its names. Under both, one of them would have to be passed over.
fn read_either_filter(members: &mut Members<'_>, violations: &mut Violations) -> Option<Option<InventoryQuery>> {
    let [filter, filters] = ["filter", "filters"].map(|name| {
        members.optional(name, violations, |at, violations| {
            let query = at.object(violations, read_filter);
            Some((at.pointer(), query))
        })
    });
    match (filter?, filters?) {
        (Some(_), Some((pointer, _))) => {
            violations.add(pointer, "is another name of filter, and both are there; send one of the two");
            None
        }
        (Some((_, query)), None) | (None, Some((_, query))) => query.map(Some),
        (None, None) => Some(None),
    }
}

fn read_filter(members: &mut Members<'_>, violations: &mut Violations) -> Option<InventoryQuery> {
    let exact = TextCriterion::ALL.map(|criterion| {
        let text = one(members, criterion.name(), violations, text);
        text.map(|text| text.map(|text| (criterion, text)))
    });
    let primary_artery = one(members, "primary_artery", violations, text);
    let flags = FlagCriterion::ALL.map(|criterion| {
        let flag = one(members, criterion.name(), violations, |at, violations| at.boolean(violations));
        flag.map(|flag| flag.map(|flag| (criterion, flag)))
    });
    let ids = read_ids(members, violations);
    let search = one(members, "search", violations, words);
    let circle = one(members, "geo_distance", violations, geo::circle);
    let rectangle = one(members, "geo_bounding_box", violations, geo::rectangle);
    let (id_min, id_max) = ids?;
    Some(InventoryQuery {
        exact: exact.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect(),
        flags: flags.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect(),
        primary_artery: primary_artery?,
        search: search?,
        id_min,
        id_max,
        circle: circle?,
        rectangle: rectangle?,
        ..InventoryQuery::default()
    })
}

/// Reads a criterion, which takes one value and no array of them.
fn one<T>(
    members: &mut Members<'_>,
    name: &'static str,
    violations: &mut Violations,
    read: impl FnOnce(At<'_>, &mut Violations) -> Option<T>,
) -> Option<Option<T>> {
    members.optional(name, violations, |at, violations| {
        if at.is_array() {
            at.refuse(violations, "takes a single value, is an array; make a search for each of its values");
            return None;
        }
        read(at, violations)
    })
}

/// Reads a text to compare with. One of which nothing is left as it is compared is as blank as an empty one.
fn text(at: At<'_>, violations: &mut Violations) -> Option<String> {
    let text = at.search_text(violations)?;
    if fold(&text.replace('-', " ")).is_empty() {
        at.refuse(violations, "must not be blank");
        return None;
    }
    Some(text.to_owned())
}

fn words(at: At<'_>, violations: &mut Violations) -> Option<String> {
    let text = at.search_text(violations)?;
    if !fold(text).chars().any(char::is_alphanumeric) {
        at.refuse(violations, format!("must have a word, is {}", shown(text)));
        return None;
    }
    Some(text.to_owned())
}

/// Reads the lowest and the highest id. Any integer is a bound, also one that no id reaches.
fn read_ids(members: &mut Members<'_>, violations: &mut Violations) -> Option<(Option<SpotId>, Option<SpotId>)> {
    let min = one(members, "id_min", violations, |at, violations| Some((at.integer(violations)?, at.pointer())));
    let max = one(members, "id_max", violations, |at, violations| at.integer(violations));
    let (min, max) = (min?, max?);
    if let (Some((min, pointer)), Some(max)) = (&min, max)
        && *min > max
    {
        violations.add(pointer.as_str(), format!("must not be above id_max, is {min} and id_max {max}"));
        return None;
    }
    let min = min.map(|(min, _)| min);
    let highest = i64::from(SpotId::MAX.raw());
    if min.is_some_and(|min| min > highest) || max.is_some_and(|max| max < 1) {
        // No spot has the id 0.
        return Some((None, Some(SpotId::from_raw(0))));
    }
    let clamped = |id: i64| u32::try_from(id.clamp(0, highest)).ok().map(SpotId::from_raw);
    Some((min.and_then(clamped), max.and_then(clamped)))
}

/// Reads the fields that are asked for. Without any, everything is.
fn read_fields(at: At<'_>, violations: &mut Violations) -> Option<FieldSet> {
    let mut fields = FieldSet::NONE;
    let paths = at.items(violations, 0, MAX_PATHS, |at, violations| {
        let path = at.text(violations)?;
        if !fields.add(path) {
            let detail = "is no field of a record; fields are paths such as id, location.state and layouts.faces";
            at.refuse(violations, format!("{}: {detail}", shown(path)));
            return None;
        }
        Some(())
    })?;
    Some(if paths.is_empty() { FieldSet::ALL } else { fields })
}

fn read_sort(members: &mut Members<'_>, violations: &mut Violations) -> Option<InventorySort> {
    let field = members.optional("field", violations, |at, violations| {
        let path = at.text(violations)?;
        let field = SortField::find(path);
        if field.is_none() {
            at.refuse(violations, format!("{}: {}", shown(path), why_not_sorted_by(path)));
        }
        field
    });
    let descending = members.optional("order", violations, |at, violations| match at.text(violations)? {
        "asc" => Some(false),
        "desc" => Some(true),
        other => {
            at.refuse(violations, format!("must be asc or desc, is {}", shown(other)));
            None
        }
    });
    Some(InventorySort { field: field?.unwrap_or(SortField::SPOT_ID), descending: descending?.unwrap_or(false) })
}

fn why_not_sorted_by(path: &str) -> &'static str {
    let mut under = FieldSet::NONE;
    if Field::ALL.iter().any(|field| field.path() == path) {
        "has several values in a record; sort by a field that has one, such as id or location.dma_name"
    } else if under.add(path) {
        "has members; sort by one of them that has one value, as location.dma_name has"
    } else {
        "is no field of a record; sort by a path such as id, media_name and location.dma_name"
    }
}
