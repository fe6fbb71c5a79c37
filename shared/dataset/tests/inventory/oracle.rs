//! A reference implementation of inventory searches, as a linear scan over JSON records. It normalizes
//! strings and compares points independently of the index, but uses the same distance formula for sorting.

use std::cmp::Ordering;

use dataset::inventory::{Field, InventoryQuery, InventorySortKey, TextCriterion};
use dataset::position::great_circle_km;
use dataset::{Circle, Position, Rectangle};
use serde_json::{Map, Value};

/// Returns the number of matching records, and the IDs of the records on the requested page.
pub(crate) fn search(records: &[Value], query: &InventoryQuery) -> (usize, Vec<u64>) {
    let mut found: Vec<&Value> = records.iter().filter(|record| meets(record, query)).collect();
    let turned = |order: Ordering| if query.sort.descending { order.reverse() } else { order };
    found.sort_by(|one, other| {
        let by_value = match query.sort.key {
            InventorySortKey::Field(field) => {
                let path = field.field().path();
                match (at(one, path), at(other, path)) {
                    (Some(one), Some(other)) => turned(compare(one, other)),
                    (one, other) => one.is_none().cmp(&other.is_none()),
                }
            }
            InventorySortKey::DistanceFrom(center) => {
                turned(centimeters(center, position(one)).cmp(&centimeters(center, position(other))))
            }
        };
        by_value.then(id(one).cmp(&id(other)))
    });
    (found.len(), found.into_iter().skip(query.skip).take(query.take).map(id).collect())
}

fn meets(record: &Value, query: &InventoryQuery) -> bool {
    let InventoryQuery {
        exact,
        flags,
        primary_artery,
        plant_spot_id,
        available_by,
        min_impressions,
        exclude_modelled,
        search,
        id_min,
        id_max,
        circle,
        circles,
        rectangle,
        sort: _,
        skip: _,
        take: _,
    } = query;
    let text = |field: Field| at(record, field.path()).and_then(Value::as_str);
    let has_text = |criterion: TextCriterion, wanted: &str| {
        let is_state = criterion == TextCriterion::State;
        let key = |text| if is_state { letters(&key(text)) } else { key(text) };
        let value = match criterion {
            TextCriterion::MediaOwner => record["representations"][0][0]["account"]["name"].as_str(),
            other => text(other.field()),
        };
        value.is_some_and(|value| key(value) == key(wanted))
    };
    let position = position(record);
    has_measures(record)
        && exact.iter().all(|(criterion, any)| any.iter().any(|wanted| has_text(*criterion, wanted)))
        && flags.iter().all(|(criterion, wanted)| {
            at(record, criterion.field().path()).and_then(Value::as_bool) == Some(*wanted)
        })
        && primary_artery.as_ref().is_none_or(|piece| {
            text(Field::PrimaryArtery).is_some_and(|artery| key(artery).contains(&key(piece)))
        })
        && plant_spot_id.as_ref().is_none_or(|id| first_plant_spot_id(record).as_ref() == Some(id))
        && available_by.is_none_or(|day| {
            text(Field::AvailableFrom).is_some_and(|from| *from <= *day.format("%Y-%m-%d").to_string())
        })
        && min_impressions.is_none_or(|least| {
            record["weekly_impressions"].as_u64().is_some_and(|impressions| impressions >= least)
        })
        && !(*exclude_modelled && record["modelled"].as_array().is_some_and(|paths| !paths.is_empty()))
        && search.as_ref().is_none_or(|search| has_words(record, search))
        && id_min.is_none_or(|min| id(record) >= u64::from(min.raw()))
        && id_max.is_none_or(|max| id(record) <= u64::from(max.raw()))
        && circle.as_ref().is_none_or(|circle| is_in_circle(circle, position))
        && circles
            .iter()
            .all(|(any, wanted)| any.iter().any(|circle| is_in_circle(circle, position)) == *wanted)
        && rectangle.as_ref().is_none_or(|rectangle| is_in_rectangle(rectangle, position))
}

/// Returns the abbreviation of a state, given its normalized name or abbreviation. Supports only the names in
/// the tests.
fn letters(state: &str) -> String {
    let written_out = [("new york", "ny"), ("new jersey", "nj")];
    let found = written_out.into_iter().find(|(name, _)| *name == state);
    found.map_or(state, |(_, letters)| letters).to_owned()
}

/// Returns the spots on all faces.
fn spots(record: &Value) -> impl Iterator<Item = Value> {
    let faces = list(record, "layouts").into_iter().flat_map(|layout| list(&layout, "faces"));
    faces.flat_map(|face| list(&face, "spots"))
}

fn list(value: &Value, member: &str) -> Vec<Value> {
    value[member].as_array().cloned().unwrap_or_default()
}

fn first_plant_spot_id(record: &Value) -> Option<String> {
    spots(record).find_map(|spot| spot["plant_spot_id"].as_str().map(str::to_owned))
}

fn has_measures(record: &Value) -> bool {
    let mut measures = spots(record).flat_map(|spot| list(&spot, "measures"));
    record["weekly_impressions"].is_number()
        || measures
            .any(|measure| measure.as_object().is_some_and(|all| all.values().any(|vintage| vintage != "")))
}

fn has_words(record: &Value, search: &str) -> bool {
    let paths = [
        "location.dma_name",
        "location.cbsa_name",
        "location.county_name",
        "location.primary_artery",
        "media_name",
    ];
    let texts = paths.iter().filter_map(|path| at(record, path)?.as_str());
    let words: Vec<String> = texts.flat_map(words).collect();
    let wanted = self::words(search);
    let Some((last, others)) = wanted.split_last() else { return false };
    others.iter().all(|word| words.contains(word)) && words.iter().any(|word| word.starts_with(last))
}

/// Returns the distance in centimeters. Uses the index's formula, because different formulas can differ by
/// centimeters near the antipode.
fn centimeters(center: Position, position: Position) -> u64 {
    (great_circle_km(center.to_unit_vector(), position.to_unit_vector()) * 100_000.0).round() as u64
}

fn is_in_circle(circle: &Circle, Position { latitude, longitude }: Position) -> bool {
    let (north, south) = (latitude.to_radians(), circle.center.latitude.to_radians());
    let between = (longitude - circle.center.longitude).to_radians();
    let half =
        ((north - south) / 2.0).sin().powi(2) + north.cos() * south.cos() * (between / 2.0).sin().powi(2);
    2.0 * 6371.0088 * half.sqrt().min(1.0).asin() <= circle.km
}

fn is_in_rectangle(rectangle: &Rectangle, Position { latitude, longitude }: Position) -> bool {
    let Rectangle { north, south, west, east } = *rectangle;
    let is_between = |longitude: f64| {
        if west <= east {
            longitude >= west && longitude <= east
        } else {
            longitude >= west || longitude <= east
        }
    };
    // The antimeridian is at both 180 and -180 degrees.
    let is_between = is_between(longitude) || longitude.abs() == 180.0 && is_between(-longitude);
    latitude <= north && latitude >= south && is_between
}

fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::String(one), Value::String(other)) => key(one).cmp(&key(other)),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (one, other) => one.as_f64().partial_cmp(&other.as_f64()).expect("sort values are comparable"),
    }
}

/// Returns the member of a record at a path.
pub(crate) fn at<'a>(record: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(record, |value, member| value.get(member))
}

pub(crate) fn id(record: &Value) -> u64 {
    record["spot_id"].as_u64().expect("every record has an id")
}

fn position(record: &Value) -> Position {
    let coordinates = &record["location"]["geometry"]["coordinates"];
    let degrees = |at: usize| coordinates[at].as_f64().expect("every record has coordinates");
    Position { latitude: degrees(1), longitude: degrees(0) }
}

/// Normalizes a string. Converts it to lowercase, removes the accents that occur in the records, and replaces
/// each run of spaces and hyphens with one space.
fn key(text: &str) -> String {
    let plain = |character: char| match character {
        '-' => ' ',
        'É' | 'é' => 'e',
        'Á' | 'á' => 'a',
        'ñ' => 'n',
        other => other.to_ascii_lowercase(),
    };
    let plain: String = text.chars().map(plain).collect();
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn words(text: &str) -> Vec<String> {
    let joined: String = key(text).chars().filter(|character| !['\'', '’'].contains(character)).collect();
    let words = joined.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns a record with only the members at or below the given paths. Empty objects are omitted, except in
/// lists.
pub(crate) fn pruned(record: &Value, paths: &[String]) -> Value {
    prune(record, "", paths).unwrap_or_else(|| Value::Object(Map::new()))
}

fn prune(value: &Value, place: &str, paths: &[String]) -> Option<Value> {
    let is_under = |path: &String| place == path || place.starts_with(&format!("{path}."));
    if paths.iter().any(is_under) {
        return Some(value.clone());
    }
    let leads_on = paths.iter().any(|path| place.is_empty() || path.starts_with(&format!("{place}.")));
    match value {
        _ if !leads_on => None,
        Value::Array(items) => {
            let item = |item: &Value| prune_item(item, place, paths);
            Some(Value::Array(items.iter().map(item).collect()))
        }
        Value::Object(members) => {
            let inside =
                |member: &String| if place.is_empty() { member.clone() } else { format!("{place}.{member}") };
            let left = members
                .iter()
                .filter_map(|(member, value)| Some((member.clone(), prune(value, &inside(member), paths)?)));
            let left: Map<String, Value> = left.collect();
            (!left.is_empty()).then_some(Value::Object(left))
        }
        _ => None,
    }
}

fn prune_item(item: &Value, place: &str, paths: &[String]) -> Value {
    match item {
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| prune_item(item, place, paths)).collect())
        }
        item => prune(item, place, paths).unwrap_or_else(|| Value::Object(Map::new())),
    }
}
