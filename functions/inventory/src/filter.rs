//! The filter of an inventory search. See `InventoryFilter` in openapi.yaml.
//!
//! The filter is parsed by hand for two reasons: most of its members are defined in tables of criteria, and
//! `id_min` must be compared with `id_max` even if other members are invalid. Derived deserialization
//! supports neither.

use accounting::{Day, InvalidDay};
use dataset::inventory::{FlagCriterion, InventoryQuery, SpotId, TextCriterion, normalize_hyphens};
use dataset::{Circle, normalize};
use deserr::{Deserr, IntoValue, Map, Value, ValuePointerRef};
use filters::{circle, rectangle};
use gateway::{
    ApiError, Bounded, GeoDistance, Identifier, InvalidValue, Items, SearchText, Violations, Warnings,
};

use crate::Release;
use crate::near_places::NearPlaces;

/// The maximum number of circles in `any_of`.
const MAX_CIRCLES: usize = 100;

const NEAR_PLACES: &str = "near_places";
const NOT_NEAR_PLACES: &str = "not_near_places";

/// The criteria of a search: a query without page and sort order, and the criteria for nearby places.
#[derive(Default)]
pub(crate) struct Filter {
    query: InventoryQuery,
    /// The flag is `true` if displays must be near the places, and `false` if they must not be.
    near_places: Vec<(NearPlaces, bool)>,
}

/// A search string that must match a field's entire value.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(SearchText) = WholeText::new -> InvalidValue)]
struct WholeText(String);

/// A search string whose words are searched for individually.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(SearchText) = Words::new -> InvalidValue)]
struct Words(String);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = Date::new -> InvalidValue)]
struct Date(Day);

/// The lowest and highest ID to search for. Requests can contain any integers, even outside the range of
/// valid IDs.
#[derive(Default)]
struct IdRange {
    min: Option<i64>,
    max: Option<i64>,
}

impl Deserr<Violations> for Filter {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let members = match value {
            Value::Map(members) => members,
            other => return Err(Violations::mistyped(location, "an object", &other)),
        };
        let (mut filter, mut ids) = (Self::default(), IdRange::default());
        let mut violations = Violations::default();
        for (name, value) in members.into_iter() {
            if let Err(wrong) = read_criterion(&mut filter, &mut ids, &name, value.into_value(), location) {
                violations.append(wrong);
            }
        }
        match ids.into_ids() {
            Ok((min, max)) => (filter.query.id_min, filter.query.id_max) = (min, max),
            Err(invalid) => violations.append(Violations::at(location.push_key("id_min"), invalid.0)),
        }
        violations.or(filter)
    }
}

impl Filter {
    /// Replaces area names with the release's spellings, expands venue types to include all types below them,
    /// and replaces criteria for nearby places with circles around these places. Returns a violation for each
    /// unknown area and venue type, and for too many places. `place` is the filter's JSON pointer.
    pub(crate) async fn into_query(
        self,
        release: &Release,
        place: &str,
        warnings: &mut Warnings,
    ) -> Result<InventoryQuery, ApiError> {
        let Self { mut query, near_places } = self;
        let mut violations = Violations::default();
        for (criterion, texts) in &mut query.exact {
            match texts
                .drain(..)
                .map(|text| release.spellings(*criterion, text))
                .collect::<Result<Vec<_>, _>>()
            {
                Ok(spellings) => *texts = spellings.concat(),
                Err(InvalidValue(detail)) => violations.add(format!("{place}/{}", criterion.name()), detail),
            }
        }
        for (near, wanted) in near_places {
            let pointer = format!("{place}/{}/filter", if wanted { NEAR_PLACES } else { NOT_NEAR_PLACES });
            match near.circles(release.searched().await?, &pointer, warnings) {
                Ok(circles) => query.circles.push((circles, wanted)),
                Err(wrong) => violations.append(wrong),
            }
        }
        Ok(violations.or(query)?)
    }
}

fn read_criterion<V: IntoValue>(
    Filter { query, near_places }: &mut Filter,
    ids: &mut IdRange,
    name: &str,
    value: Value<V>,
    filter: ValuePointerRef<'_>,
) -> Result<(), Violations> {
    let location = filter.push_key(name);
    if let Some(criterion) = TextCriterion::ALL.into_iter().find(|criterion| criterion.name() == name) {
        query.exact.extend(single(value, location)?.map(|WholeText(text)| (criterion, vec![text])));
        return Ok(());
    }
    if let Some(criterion) = FlagCriterion::ALL.into_iter().find(|criterion| criterion.name() == name) {
        query.flags.extend(single(value, location)?.map(|flag| (criterion, flag)));
        return Ok(());
    }
    match name {
        "primary_artery" => query.primary_artery = single(value, location)?.map(|WholeText(text)| text),
        "plant_spot_id" => query.plant_spot_id = single(value, location)?.map(Identifier::into_string),
        "available_by" => query.available_by = single(value, location)?.map(|Date(day)| day.into()),
        "min_impressions" => query.min_impressions = single(value, location)?.map(impressions),
        "exclude_modelled" => query.exclude_modelled = single(value, location)?.unwrap_or(false),
        "id_min" => ids.min = single(value, location)?,
        "id_max" => ids.max = single(value, location)?,
        "search" => query.search = single(value, location)?.map(|Words(text)| text),
        "geo_distance" => query.circle = single(value, location)?.map(circle),
        "any_of" => query.circles.extend(Option::deserialize_from_value(value, location)?.map(circles)),
        NEAR_PLACES => near_places.extend(single(value, location)?.map(|near| (near, true))),
        NOT_NEAR_PLACES => near_places.extend(single(value, location)?.map(|near| (near, false))),
        "geo_bounding_box" => query.rectangle = single(value, location)?.map(rectangle),
        _ => return Err(Violations::unknown_member(filter, name, &names())),
    }
    Ok(())
}

fn impressions(least: Bounded<0, { usize::MAX }>) -> u64 {
    least.get() as u64
}

fn circles(circles: Items<GeoDistance, 1, MAX_CIRCLES>) -> (Vec<Circle>, bool) {
    (circles.into_iter().map(circle).collect(), true)
}

/// Reads the value of a criterion. Returns a violation for an array, because each criterion accepts only one
/// value.
fn single<T: Deserr<Violations>, V: IntoValue>(
    value: Value<V>,
    location: ValuePointerRef<'_>,
) -> Result<Option<T>, Violations> {
    if let Value::Sequence(_) = value {
        let detail = "must be a single value, got an array; send one search per value";
        return Err(Violations::at(location, detail));
    }
    Option::deserialize_from_value(value, location)
}

fn names() -> Vec<&'static str> {
    let mut names = TextCriterion::ALL.map(TextCriterion::name).to_vec();
    names.extend(["primary_artery", "plant_spot_id", "available_by", "min_impressions", "exclude_modelled"]);
    names.extend(FlagCriterion::ALL.map(FlagCriterion::name));
    names.extend(["id_min", "id_max", "search", "geo_distance", "geo_bounding_box", "any_of"]);
    names.extend([NEAR_PLACES, NOT_NEAR_PLACES]);
    names
}

impl WholeText {
    fn new(text: SearchText) -> Result<Self, InvalidValue> {
        let text = text.into_string();
        // Text that is empty after normalization counts as blank.
        if normalize_hyphens(&text).is_empty() {
            return Err(InvalidValue("must not be blank".to_owned()));
        }
        Ok(Self(text))
    }
}

impl Words {
    fn new(text: SearchText) -> Result<Self, InvalidValue> {
        let text = text.into_string();
        if !normalize(&text).chars().any(char::is_alphanumeric) {
            return Err(InvalidValue::quoting("must contain a letter or a digit", &text));
        }
        Ok(Self(text))
    }
}

impl Date {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self).map_err(|rule: InvalidDay| InvalidValue::quoting(rule, text))
    }
}

impl IdRange {
    fn into_ids(self) -> Result<(Option<SpotId>, Option<SpotId>), InvalidValue> {
        let Self { min, max } = self;
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return Err(InvalidValue(format!("must not exceed id_max ({max}), got {min}")));
        }
        let highest = i64::from(SpotId::MAX.raw());
        if min.is_some_and(|min| min > highest) || max.is_some_and(|max| max < 1) {
            // No spot has ID 0, so this range matches nothing.
            return Ok((None, Some(SpotId::from_raw(0))));
        }
        let clamped = |id: i64| u32::try_from(id.clamp(0, highest)).ok().map(SpotId::from_raw);
        Ok((min.and_then(clamped), max.and_then(clamped)))
    }
}
