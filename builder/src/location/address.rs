//! Compares a row's address with its position and finds the ZIP code of the address.

use dataset::position::great_circle_km;
use dataset::{Position, normalize, state_forms};

use super::coordinates::{SWAPPED, is_position, swapped};
use super::locator::{Locator, NEAR_KM, Near, ZipArea};
use super::markets::Contradiction;
use crate::columns::{Fields, five_digits};
use crate::rows::quoted;

/// The maximum distance between a position in the fifty states and the nearest ZIP code, in kilometers. A
/// position that is farther away contradicts an American address.
const CONTRADICTION_KM: f64 = 500.0;

/// The maximum distance between the given state and a position in a different state, in kilometers. If the
/// distance is greater, the given state is wrong.
const OUT_OF_STATE_KM: f64 = 200.0;

/// The advice for an address if only its ZIP code indicates that it's in the United States.
const NAME_THE_COUNTRY: &str =
    "correct the position or zip_code, or name the country (or set outside_us = true in the source's entry)";

/// Additional advice for an address without a country.
const OR_NAME_THE_COUNTRY: &str = "if the address is outside the United States, name the country (or set \
                                   outside_us = true in the source's entry)";

/// A row's address.
#[derive(Default)]
pub(crate) struct Address {
    pub(crate) city: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) zip_code: Option<String>,
    pub(crate) country: Option<String>,
}

/// An address with its missing parts filled in. Parts that couldn't be derived are empty.
pub(crate) struct LocatedAddress {
    pub(crate) city: String,
    pub(crate) state: String,
    pub(crate) zip_code: String,
}

/// The ZIP codes to check addresses with, and the default country.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'a> {
    pub(crate) locator: &'a Locator,
    /// Whether to assume that rows without a country are outside the United States.
    pub(crate) is_outside_us: bool,
}

/// Checks an address, and fills in its missing parts from its ZIP code or, if it doesn't have one, from the
/// ZIP code that is nearest to the position. Returns the completed address and this ZIP code. Adds a state or
/// ZIP code that contradicts the rest of the row to `contradictions`. If the address can't be right, rejects
/// the row through `fields`. Doesn't change an address outside the United States.
pub(super) fn locate<'a>(
    address: Address,
    position: Option<Position>,
    region: Region<'a>,
    fields: &mut Fields<'_>,
    contradictions: &mut Vec<Contradiction>,
) -> (LocatedAddress, Option<&'a ZipArea>) {
    let locator = region.locator;
    let Some(american) = American::of(&address, position, region) else {
        let Address { city, state, zip_code, .. } = address;
        let [city, state, zip_code] = [city, state, zip_code].map(Option::unwrap_or_default);
        return (LocatedAddress { city, state, zip_code }, None);
    };
    let Address { city, state, zip_code, .. } = address;
    if let Some(state) = &state
        && american.state.is_none()
    {
        fields.reject(format!("state {} is not the name or two-letter code of a state", quoted(state)));
    }
    let zip_code = zip_code.and_then(|zip_code| fields.zip_code(&zip_code));
    let contradiction = position.map_or(Ok(None), |position| american.check(position, locator));
    let contradiction = contradiction.unwrap_or_else(|reason| {
        fields.reject(reason);
        None
    });
    let is_state_wrong =
        contradiction.as_ref().is_some_and(|one| one.member == "state" && !one.is_given_used);
    contradictions.extend(contradiction);
    let state = american.state.filter(|_| !is_state_wrong);
    let known = american.known.filter(|known| state.as_ref().is_none_or(|state| *state == known.state));
    let near = position.and_then(|position| locator.nearest(position, state.as_deref()));
    let area = match (known, position) {
        (Some(known), Some(position)) => Some(agreed(known, position, locator)),
        (known, _) => known.or(near.map(|near| near.area)),
    };
    let or_of_area = |given: Option<String>, of: fn(&ZipArea) -> &String| {
        given.or_else(|| area.map(|area| of(area).clone())).unwrap_or_default()
    };
    let located = LocatedAddress {
        city: or_of_area(city, |area| &area.city),
        state: or_of_area(state, |area| &area.state),
        zip_code: or_of_area(zip_code, |area| &area.zip),
    };
    (located, area)
}

/// Compares an address with a position, without changing the address. Returns the state or ZIP code that
/// contradicts the position, if any, or the reason that the address can't be at this position.
pub(crate) fn check(
    address: &Address,
    position: Position,
    region: Region<'_>,
) -> Result<Option<Contradiction>, String> {
    let american = American::of(address, Some(position), region);
    let contradiction = american.map_or(Ok(None), |american| american.check(position, region.locator))?;
    Ok(contradiction.map(|contradiction| Contradiction { is_given_used: true, ..contradiction }))
}

/// Returns the ZIP code that determines a place's markets. This is the row's ZIP code, unless its center is
/// far from the position. In that case, it's the nearest ZIP code, because the data contains wrong centers
/// for some ZIP codes.
fn agreed<'a>(known: &'a ZipArea, position: Position, locator: &'a Locator) -> &'a ZipArea {
    let near = locator.nearest(position, Some(&known.state)).filter(|near| near.km <= CONTRADICTION_KM);
    match near {
        Some(Near { area, .. }) if known.km_to(position) > CONTRADICTION_KM => area,
        _ => known,
    }
}

/// An address in the fifty states or the District of Columbia.
struct American<'a> {
    /// The two-letter code of the state.
    state: Option<String>,
    /// The ZIP code, if the release contains it.
    known: Option<&'a ZipArea>,
    /// Whether the ZIP code is the only indication that the address is in the United States.
    is_by_zip_code: bool,
    /// Whether the address names its country.
    has_country: bool,
}

/// The codes for territories and military addresses, which aren't in any of the release's markets.
const UNCOVERED: [&str; 9] = ["AA", "AE", "AP", "AS", "GU", "MP", "PR", "UM", "VI"];

/// The codes for Canada's provinces and territories, which can occur in the state column.
const PROVINCES: [&str; 13] = ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];

impl<'a> American<'a> {
    /// Interprets an address. Returns `None` if it's outside the fifty states and the District of Columbia.
    /// If the address names a country, the country decides. Otherwise, the address is outside if
    /// `region.is_outside_us` is set. If it isn't set, the first of these that is known decides: the state, a
    /// ZIP code near the position, and the address's own ZIP code.
    fn of(address: &Address, position: Option<Position>, region: Region<'a>) -> Option<Self> {
        let Address { state, zip_code, country, .. } = address;
        let locator = region.locator;
        let code = state.as_deref().map(letters);
        let is_in = |codes: &[&str]| code.as_deref().is_some_and(|code| codes.contains(&code));
        let digits = zip_code.as_deref().and_then(five_digits);
        let known = digits.and_then(|digits| locator.find(&digits));
        let code_of_state = code.clone().filter(|code| locator.is_state(code));
        let has_country = country.is_some();
        let american = Self { state: code_of_state, known, is_by_zip_code: false, has_country };
        match country {
            Some(country) => (is_united_states(country) && !is_in(&UNCOVERED)).then_some(american),
            None if region.is_outside_us => None,
            None if american.state.is_some() => Some(american),
            None if is_in(&UNCOVERED) || is_in(&PROVINCES) => None,
            None => {
                let position = position?;
                let near = locator.nearest(position, None);
                if near.is_some_and(|near| near.km <= NEAR_KM) {
                    return Some(american);
                }
                if known.is_none() || state.is_some() {
                    return None;
                }
                // A code with four digits is usually another country's postal code, unless a typical mistake
                // explains why the position is outside the United States.
                let is_by_zip_code = zip_code.as_deref().is_some_and(|zip_code| zip_code.len() > 4)
                    || american.cause(position, locator).is_some();
                is_by_zip_code.then_some(Self { is_by_zip_code, ..american })
            }
        }
    }

    /// Returns the state or ZIP code that contradicts the position, if any, or the reason that the address
    /// can't be at this position.
    fn check(&self, position: Position, locator: &Locator) -> Result<Option<Contradiction>, String> {
        // The position is near its ZIP code, so no other ZIP code needs to be checked.
        if self.known.is_some_and(|known| known.inhabited && known.km_to(position) <= NEAR_KM) {
            return Ok(self.other_state(position, locator));
        }
        let state = self.state();
        let near = locator.nearest(position, state).filter(|near| near.km <= CONTRADICTION_KM);
        let Some(Near { area, .. }) = near else { return Err(self.far_off(position, locator)) };
        let Some(state) = state.filter(|state| *state != area.state) else {
            return Ok(self.other_state(position, locator));
        };
        let is_out_of_state = locator.is_out_of_state(position, state, OUT_OF_STATE_KM);
        match self.known {
            Some(known) if is_out_of_state || known.km_to(position) > CONTRADICTION_KM => {
                Err(self.far_from_zip_code(known, position, &area.state, locator))
            }
            Some(known) => Ok(self.other_state(position, locator).or_else(|| {
                Some(match &self.state {
                    Some(state) => Contradiction::new("state", state, &area.state, true),
                    None => Contradiction::new("zip_code", &known.zip, &area.zip, true),
                })
            })),
            None => Ok(Some(Contradiction::new("state", state, &area.state, !is_out_of_state))),
        }
    }

    /// Returns a contradiction if the given state isn't the ZIP code's state. The record then contains the
    /// state that matches the position.
    fn other_state(&self, position: Position, locator: &Locator) -> Option<Contradiction> {
        let state = self.state.as_ref()?;
        let known = self.known.filter(|known| known.state != *state)?;
        let is_given_used = locator.nearest(position, None).is_some_and(|near| near.area.state == *state);
        Some(Contradiction::new("state", state, &known.state, is_given_used))
    }

    fn far_from_zip_code(
        &self,
        known: &ZipArea,
        position: Position,
        state: &str,
        locator: &Locator,
    ) -> String {
        let cause = self.cause(position, locator);
        format!(
            "the position is in {state}, {:.0} km from zip_code {} in {}: {}",
            known.km_to(position),
            known.zip,
            known.state,
            self.way_out(
                cause,
                "correct the position or zip_code, or leave zip_code empty to use the nearest ZIP code"
            )
        )
    }

    fn far_off(&self, position: Position, locator: &Locator) -> String {
        let address = if self.is_by_zip_code { "zip_code" } else { "address" };
        let cause = self.cause(position, locator);
        let way_out = self
            .way_out(cause, "check that latitude and longitude have the correct signs and aren't swapped");
        format!(
            "the position is more than {CONTRADICTION_KM} km from every ZIP code, but the {address} is in \
             the United States: {way_out}"
        )
    }

    /// Returns advice on how to fix the row. If a likely cause was found, returns only the cause. If only the
    /// ZIP code indicates that the address is in the United States, the advice is to name the country. In all
    /// other cases, the advice starts with `otherwise`.
    fn way_out(&self, cause: Option<&str>, otherwise: &str) -> String {
        match cause {
            Some(cause) => cause.to_owned(),
            None if self.is_by_zip_code => NAME_THE_COUNTRY.to_owned(),
            None if self.has_country => otherwise.to_owned(),
            None => format!("{otherwise}; {OR_NAME_THE_COUNTRY}"),
        }
    }

    fn state(&self) -> Option<&str> {
        self.known.map(|known| known.state.as_str()).or(self.state.as_deref())
    }

    /// Returns the typical mistake that explains why the position contradicts the address, if any.
    fn cause(&self, position: Position, locator: &Locator) -> Option<&'static str> {
        let Position { latitude, longitude } = position;
        let sign = |degrees: f64, lacks, has| if degrees > 0.0 { lacks } else { has };
        let longitude_sign =
            sign(longitude, "longitude lacks its minus sign", "longitude has an extra minus sign");
        let latitude_sign =
            sign(latitude, "latitude lacks its minus sign", "latitude has an extra minus sign");
        let causes = [
            (Position { longitude: -longitude, ..position }, longitude_sign),
            (swapped(position), SWAPPED),
            (Position { latitude: -latitude, ..position }, latitude_sign),
            (
                swapped(Position { latitude: -latitude, ..position }),
                "latitude and longitude look swapped, and longitude lacks its minus sign",
            ),
            (
                Position { latitude: -latitude, longitude: -longitude },
                "the signs of latitude and longitude look swapped",
            ),
        ];
        let agrees = |position: Position| {
            let near = locator.nearest(position, self.state());
            near.is_some_and(|near| {
                near.km <= NEAR_KM && self.state().is_none_or(|state| near.area.state == state)
            })
        };
        let cause = causes.into_iter().find(|(position, _)| is_position(*position) && agrees(*position));
        cause.map(|(_, cause)| cause)
    }
}

impl ZipArea {
    fn km_to(&self, position: Position) -> f64 {
        great_circle_km(self.center.to_unit_vector(), position.to_unit_vector())
    }
}

/// Converts the name or code of a state to its two-letter code. Returns any other text in uppercase.
pub(super) fn letters(state: &str) -> String {
    let normalized = normalize(state);
    state_forms(&normalized).first().copied().unwrap_or(&normalized).to_ascii_uppercase()
}

fn is_united_states(country: &str) -> bool {
    let letters: String =
        country.to_lowercase().chars().filter(|character| character.is_alphanumeric()).collect();
    matches!(letters.as_str(), "us" | "usa" | "unitedstates" | "unitedstatesofamerica")
}
