//! Where a row says that it is, and the ZIP code that it lies in.

use dataset::Position;
use dataset::position::great_circle_km;

use super::fields::Fields;
use super::locator::{Locator, NEAR_KM, Near, ZipArea};
use crate::rows::quoted;

/// No point of the fifty states is so far from all ZIP codes: coordinates and address contradict each other.
const CONTRADICTION_KM: f64 = 500.0;

/// An address as the row has it.
#[derive(Default)]
pub(super) struct Address {
    pub(super) city: Option<String>,
    pub(super) state: Option<String>,
    pub(super) zip_code: Option<String>,
    pub(super) country: Option<String>,
}

/// An address that is complete, as far as can be.
pub(super) struct LocatedAddress {
    pub(super) city: String,
    pub(super) state: String,
    pub(super) zip_code: String,
}

/// Checks an address, completes it from the ZIP code that it lies in, and returns that one; outside the
/// United States it stays as it is.
pub(super) fn locate<'a>(
    address: Address,
    position: Option<Position>,
    locator: &'a Locator,
    fields: &mut Fields<'_>,
) -> (LocatedAddress, Option<&'a ZipArea>) {
    let Address { city, state, zip_code, country } = address;
    let state_code = state.as_deref().map(str::to_ascii_uppercase);
    let in_state = state_code.as_deref().filter(|state| locator.is_state(state));
    let near = position.and_then(|position| locator.nearest(position, in_state));
    if !is_inside(country.as_deref(), state_code.as_deref(), position, near, locator) {
        let [city, state, zip_code] = [city, state, zip_code].map(Option::unwrap_or_default);
        return (LocatedAddress { city, state, zip_code }, None);
    }
    if let Some(state) = &state
        && in_state.is_none()
    {
        fields.reject(format!("state {} is not the two letters of a state", quoted(state)));
    }
    let zip_code = zip_code.and_then(|zip_code| fields.zip_code(&zip_code));
    if near.is_none_or(|near| near.km > CONTRADICTION_KM) && position.is_some() {
        fields.reject(format!(
            "the position is more than {CONTRADICTION_KM} km from every ZIP code, but the address is in the \
             United States: check the signs of latitude and longitude and that they are not swapped"
        ));
    }
    let known = zip_code.as_deref().and_then(|zip_code| locator.find(zip_code));
    let area = match (known, position) {
        (Some(known), Some(position)) => Some(agreed(known, position, locator, fields)),
        _ => known.or(near.map(|near| near.area)),
    };
    let or_of_area = |given: Option<String>, of: fn(&ZipArea) -> &String| {
        given.or_else(|| area.map(|area| of(area).clone())).unwrap_or_default()
    };
    let located = LocatedAddress {
        city: or_of_area(city, |area| &area.city),
        state: or_of_area(state_code, |area| &area.state),
        zip_code: or_of_area(zip_code, |area| &area.zip),
    };
    (located, area)
}

/// Returns the ZIP code whose markets a place has: the row's own one. When that is far from the position, the
/// nearest one decides within a state, since the middles of some ZIP codes are wrong; two states are a
/// contradiction.
fn agreed<'a>(
    known: &'a ZipArea,
    position: Position,
    locator: &'a Locator,
    fields: &mut Fields<'_>,
) -> &'a ZipArea {
    let km = great_circle_km(known.center.to_unit_vector(), position.to_unit_vector());
    let near = locator.nearest(position, Some(&known.state)).filter(|near| near.km <= CONTRADICTION_KM);
    match near {
        Some(Near { area, .. }) if km > CONTRADICTION_KM => {
            if area.state != known.state {
                fields.reject(format!(
                    "the position is in {}, {km:.0} km from zip_code {} in {}: correct the one that is \
                     wrong; without zip_code, the nearest is taken",
                    area.state, known.zip, known.state
                ));
            }
            area
        }
        _ => known,
    }
}

/// Territories and military addresses, which the release's markets do not cover.
const UNCOVERED: [&str; 9] = ["AA", "AE", "AP", "AS", "GU", "MP", "PR", "UM", "VI"];

/// The provinces and territories of Canada, as they stand in the column of states.
const PROVINCES: [&str; 13] = ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];

/// Tells whether a place lies in the fifty states or the District of Columbia: by its country, else by its
/// state, else by the ZIP codes around it.
fn is_inside(
    country: Option<&str>,
    state: Option<&str>,
    position: Option<Position>,
    near: Option<Near<'_>>,
    locator: &Locator,
) -> bool {
    let is_in = |states: &[&str]| state.is_some_and(|state| states.contains(&state));
    match country {
        Some(country) => is_united_states(country) && !is_in(&UNCOVERED),
        None if state.is_some_and(|state| locator.is_state(state)) => true,
        None if is_in(&UNCOVERED) || is_in(&PROVINCES) => false,
        None => position.is_some() && near.is_some_and(|near| near.km <= NEAR_KM),
    }
}

fn is_united_states(country: &str) -> bool {
    let letters: String =
        country.to_lowercase().chars().filter(|character| character.is_alphanumeric()).collect();
    matches!(letters.as_str(), "us" | "usa" | "unitedstates" | "unitedstatesofamerica")
}
