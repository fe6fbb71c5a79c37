//! One input of a match, parsed and compared with places.

use std::collections::HashMap;

use dataset::position::UnitVector;
use dataset::{Distance, Place, Places, Position, same_word};

use super::address::{Address, compare_numbers, state_of, zip_of};
use super::body::MatchInput;
use super::name::{Name, PlaceName};
use super::score::Agreement::{self, Agrees, Contradicts, Partly};
use super::score::Evidence;
use super::words::{city_key, split};

/// The names in a release with which inputs are compared.
#[derive(Debug, Default)]
pub(crate) struct KnownNames {
    /// The spellings of each city's name, by [`city_key`].
    cities: HashMap<String, Vec<String>>,
    brands: Vec<Name>,
}

/// A parsed input.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) name: Option<Name>,
    pub(super) brand: Option<Name>,
    pub(super) address: Address,
    pub(super) point: Option<Position>,
}

impl KnownNames {
    pub(crate) fn new(places: &Places) -> Self {
        let mut cities: HashMap<String, Vec<String>> = HashMap::new();
        for city in places.city_names().filter(|city| !city.is_empty()) {
            cities.entry(city_key(city)).or_default().push(city.to_owned());
        }
        Self { cities, brands: places.brand_names().map(Name::new).collect() }
    }

    /// Returns the spellings of a city, given its [`city_key`].
    pub(super) fn spellings(&self, key: &str) -> &[String] {
        self.cities.get(key).map_or(&[], Vec::as_slice)
    }
}

impl Input {
    /// Parses an input. Separately given members override the corresponding parts of the address. If the
    /// input has neither a name nor a brand, the words before the house number are used as the name.
    pub(super) fn new(input: &MatchInput, known: &KnownNames) -> Self {
        let is_city = |key: &str| known.cities.contains_key(key);
        let text =
            |text: &Option<_>| text.as_ref().map(|text: &gateway::SearchText| text.as_str().to_owned());
        let city = text(&input.city).map(|city| city_key(&city));
        let address = text(&input.address);
        let mut parsed = address.map_or_else(Address::default, |address| match &city {
            // The given city shows where the street ends, even if the release has no places in that city.
            Some(city) => Address::parse(&address, &|key| key == city),
            None => Address::parse(&address, &is_city),
        });
        let (mut name, brand) = (text(&input.name), text(&input.brand));
        if brand.is_none() {
            name = name.or_else(|| parsed.lead.take());
        }
        parsed.city = city.or(parsed.city);
        parsed.state = text(&input.state).and_then(|state| state_of(&split(&state))).or(parsed.state);
        parsed.zip_code = text(&input.zip_code).and_then(|zip| zip_of(&zip)).or(parsed.zip_code);
        let named = |text: Option<String>| text.map(|text| Name::new(&text)).filter(|name| !name.is_empty());
        Self {
            name: named(name),
            brand: named(brand),
            address: parsed,
            point: input.location.as_ref().map(|point| Position::from(point.degrees())),
        }
    }

    pub(super) fn compare(&self, place: &Place<'_>, known: &KnownNames) -> Evidence {
        let stored = Address::street_line(place.street_address);
        let (name, brand) = (Name::new(place.name), place.brand.map(Name::new));
        let place_name = PlaceName { name: &name, brand: brand.as_ref() };
        let compare =
            |wanted: &Option<Name>| wanted.as_ref().map(|name| name.compare(&place_name, &known.brands));
        let city = Name::new(place.city);
        let covering = [Some(&name), brand.as_ref(), Some(&city)];
        let covering: Vec<&Name> = covering.into_iter().flatten().collect();
        let Address { number, street, unit, city, state, zip_code, .. } = &self.address;
        Evidence {
            name: compare(&self.name),
            brand: compare(&self.brand),
            name_coverage: self.name.as_ref().map_or(1.0, |name| name.coverage(&covering)),
            number: number.as_ref().map(|number| match &stored.number {
                Some(stored) => compare_numbers(number, stored),
                None => Contradicts,
            }),
            street: (!street.is_empty()).then(|| street.compare(&stored.street)),
            unit: unit.as_ref().map(|unit| match &stored.unit {
                Some(stored) if stored == unit => Agrees,
                Some(_) => Contradicts,
                None => Partly,
            }),
            city: city.as_ref().map(|city| compare_cities(city, &city_key(place.city))),
            state: state
                .as_ref()
                .zip(state_of(&split(place.state)))
                .map(|(one, other)| is_same(*one == other)),
            zip_code: zip_code.as_ref().map(|zip| compare_zips(zip, place.zip_code)),
            meters: self.point.map(|point| meters(point.to_unit_vector(), place)),
            is_without_number: number.is_none() && stored.number.is_none() && !street.is_empty(),
        }
    }
}

/// Compares the keys of two cities. They partly agree if one begins with the other, such as "woodbridge twp"
/// with "woodbridge".
fn compare_cities(one: &str, other: &str) -> Agreement {
    if same_word(one, other) {
        return Agrees;
    }
    let is_part =
        |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
    if is_part(one, other) || is_part(other, one) { Partly } else { Contradicts }
}

/// Compares ZIP codes. If only the first three digits are the same, the codes agree partly: both belong to
/// the same sorting center, and one of them may be outdated.
fn compare_zips(one: &str, other: &str) -> Agreement {
    match one == other {
        true => Agrees,
        false if one.get(..3) == other.get(..3) => Partly,
        false => Contradicts,
    }
}

fn is_same(same: bool) -> Agreement {
    if same { Agrees } else { Contradicts }
}

fn meters(point: UnitVector, place: &Place<'_>) -> f64 {
    let at = Position { latitude: place.latitude, longitude: place.longitude };
    Distance::between(point, at.to_unit_vector()).meters()
}
