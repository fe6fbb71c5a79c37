//! A reference implementation of place searches, as a linear scan.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use dataset::position::great_circle_km;
use dataset::{
    Found, GeographyIndex, Place, PlaceId, PlaceIndex, PlaceQuery, PlaceSort, PlaceSortField, PlaceSortKey,
    Places, Position, Rectangle, normalize,
};

use crate::fixture::geography_name;

/// Searches for places by scanning all of them. `visits` contains only places with known visits.
pub(crate) fn scan(places: &Places, visits: &BTreeMap<PlaceId, u32>, query: &PlaceQuery<'_>) -> Found {
    let vocabulary: BTreeSet<String> =
        places.indexes().flat_map(|index| words(places.get(index).name)).collect();
    let mut found: Vec<PlaceIndex> =
        places.indexes().filter(|index| meets(&places.get(*index), query, &vocabulary)).collect();
    found.sort_by(|one, other| {
        let (one, other) = (places.get(*one), places.get(*other));
        in_order(&one, &other, query.sort, visits).then(one.id.cmp(&other.id))
    });
    Found { total: found.len(), places: found.into_iter().skip(query.skip).take(query.take).collect() }
}

fn in_order(
    one: &Place<'_>,
    other: &Place<'_>,
    sort: PlaceSort<'_>,
    visits: &BTreeMap<PlaceId, u32>,
) -> Ordering {
    let turned = |order: Ordering| if sort.descending { order.reverse() } else { order };
    match sort.key {
        PlaceSortKey::Field(field) => turned(key(one, field).cmp(&key(other, field))),
        PlaceSortKey::DistanceFrom(center) => {
            turned(centimeters(center, one).cmp(&centimeters(center, other)))
        }
        PlaceSortKey::WeeklyVisits(_) => match (visits.get(&one.id), visits.get(&other.id)) {
            (Some(one), Some(other)) => turned(one.cmp(other)),
            (one, other) => one.is_none().cmp(&other.is_none()),
        },
    }
}

/// Returns the normalized abbreviation of a state. Supports only the name in the tests.
fn letters(state: &str) -> String {
    let state = normalize(state);
    if state == "colorado" { "co".to_owned() } else { state }
}

fn position(place: &Place<'_>) -> Position {
    Position { latitude: place.latitude, longitude: place.longitude }
}

fn centimeters(center: Position, place: &Place<'_>) -> u64 {
    let km = great_circle_km(center.to_unit_vector(), position(place).to_unit_vector());
    (km * 100_000.0).round() as u64
}

fn is_in(rectangle: &Rectangle, Position { latitude, longitude }: Position) -> bool {
    let Rectangle { north, south, west, east } = *rectangle;
    let is_between = |longitude: f64| match west <= east {
        true => (west..=east).contains(&longitude),
        false => longitude >= west || longitude <= east,
    };
    // The antimeridian is at both 180 and -180 degrees.
    let is_between = is_between(longitude) || longitude.abs() == 180.0 && is_between(-longitude);
    (south..=north).contains(&latitude) && is_between
}

fn meets(place: &Place<'_>, query: &PlaceQuery<'_>, vocabulary: &BTreeSet<String>) -> bool {
    let PlaceQuery {
        place_name,
        place_ids,
        place_type_ids,
        place_type_name,
        brand,
        address,
        city,
        state,
        zip_code,
        dmas,
        counties,
        circle,
        rectangle,
        sort: _,
        skip: _,
        take: _,
    } = query;
    let same = |filter: &Option<String>, text: &str| {
        filter.as_ref().is_none_or(|filter| normalize(filter) == normalize(text))
    };
    same(city, place.city)
        && state.as_ref().is_none_or(|state| letters(state) == letters(place.state))
        && same(zip_code, place.zip_code)
        && same(place_type_name, place.place_type)
        && brand.as_ref().is_none_or(|_| place.brand.is_some_and(|own| same(brand, own)))
        && place_ids.as_ref().is_none_or(|ids| ids.contains(&place.id))
        && place_type_ids.as_ref().is_none_or(|ids| ids.contains(&place.place_type_id))
        && dmas.as_ref().is_none_or(|dmas| place.dma.is_some_and(|dma| dmas.contains(&dma)))
        && counties.as_ref().is_none_or(|counties| place.county.is_some_and(|one| counties.contains(&one)))
        && circle.as_ref().is_none_or(|circle| {
            great_circle_km(circle.center.to_unit_vector(), position(place).to_unit_vector()) <= circle.km
        })
        && rectangle.as_ref().is_none_or(|rectangle| is_in(rectangle, position(place)))
        && address.as_ref().is_none_or(|pattern| has_address(place.street_address, pattern))
        && place_name.as_ref().is_none_or(|filter| has_name(place.name, filter, vocabulary))
}

fn has_name(name: &str, filter: &str, vocabulary: &BTreeSet<String>) -> bool {
    let (name, filter) = (words(name), words(filter));
    let last = filter.len().checked_sub(1);
    let has_word = |(at, word): (usize, &String)| {
        let exactly =
            |other: &String| other == word || (Some(at) == last && other.starts_with(word.as_str()));
        let letters = word.chars().filter(|character| character.is_alphabetic()).count();
        let forgiven = letters >= 4 && !vocabulary.iter().any(exactly);
        name.iter().any(|other| exactly(other) || (forgiven && distance(word, other) <= 1))
    };
    last.is_some() && filter.iter().enumerate().all(has_word)
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in normalize(text).chars() {
        if "'`\u{b4}\u{2bc}\u{2018}\u{2019}".contains(character) {
            continue;
        }
        if character.is_alphanumeric() {
            words.last_mut().expect("a word was started").push(character);
        } else {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the edit distance between two words. Each insertion, deletion, replacement, or swap of adjacent
/// letters counts as 1.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = match (i, j) {
                (0, _) | (_, 0) => i + j,
                _ => {
                    let replaced = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                    let mut least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        least = least.min(table[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    table[one.len()][other.len()]
}

fn has_address(address: &str, pattern: &str) -> bool {
    let (address, pattern) = (normalize(address), normalize(pattern));
    if !pattern.contains(['*', '?']) {
        return address.contains(&pattern);
    }
    let (address, pattern): (Vec<char>, Vec<char>) = (address.chars().collect(), pattern.chars().collect());
    let mut matches = vec![vec![false; address.len() + 1]; pattern.len() + 1];
    for i in 0..=pattern.len() {
        for j in 0..=address.len() {
            matches[i][j] = match (i, j) {
                (0, 0) => true,
                (0, _) => false,
                (_, 0) => pattern[i - 1] == '*' && matches[i - 1][0],
                _ if pattern[i - 1] == '*' => matches[i - 1][j] || matches[i][j - 1],
                _ => matches[i - 1][j - 1] && ['?', address[j - 1]].contains(&pattern[i - 1]),
            };
        }
    }
    matches[pattern.len()][address.len()]
}

fn key(place: &Place<'_>, field: PlaceSortField) -> String {
    let name = |geography: Option<GeographyIndex>| geography.map(geography_name).unwrap_or_default();
    normalize(&match field {
        PlaceSortField::PlaceName => place.name.to_owned(),
        PlaceSortField::PlaceId => place.id.to_string(),
        PlaceSortField::PlaceTypeName => place.place_type.to_owned(),
        PlaceSortField::StreetAddress => place.street_address.to_owned(),
        PlaceSortField::City => place.city.to_owned(),
        PlaceSortField::State => place.state.to_owned(),
        PlaceSortField::ZipCode => place.zip_code.to_owned(),
        PlaceSortField::DmaName => name(place.dma),
        PlaceSortField::CountyName => name(place.county),
        PlaceSortField::CbsaName => name(place.cbsa),
    })
}
