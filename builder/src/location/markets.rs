//! Determines the areas that contain a place or display, and compares them with the areas named in its row.

use dataset::{AreaKind, AreaNames, Geographies, GeographyIndex, Position};

use super::address::{Address, LocatedAddress, Region, letters, locate};
use super::locator::{Locator, ZipArea};
use crate::columns::Fields;

/// Finds the areas that contain places and displays.
#[derive(Clone, Copy)]
pub struct Markets<'a> {
    pub(crate) geographies: &'a Geographies,
    pub(crate) names: &'a AreaNames,
    pub(crate) region: Region<'a>,
}

/// A row's address and the areas that contain it.
pub(crate) struct Located<'a> {
    pub(crate) address: LocatedAddress,
    /// The ZIP code that determines the areas, or `None` outside the United States.
    pub(crate) zip: Option<&'a ZipArea>,
    pub(crate) county: Option<GeographyIndex>,
    pub(crate) cbsa: Option<GeographyIndex>,
    pub(crate) dma: Option<GeographyIndex>,
    pub(crate) contradictions: Vec<Contradiction>,
}

/// A state, ZIP code, county, or DMA in a row that differs from the value derived from the row's position and
/// ZIP code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contradiction {
    /// The name of the member: `state`, `zip_code`, `county`, or `dma`.
    pub member: &'static str,
    pub given: String,
    /// The derived value, or `None` if the position isn't in any area of this kind.
    pub derived: Option<String>,
    /// Whether the record contains the given value rather than the derived one.
    pub is_given_used: bool,
}

impl<'a> Markets<'a> {
    /// Creates a lookup of areas by name and by position. If `is_outside_us` is true, rows without a country
    /// are outside the United States.
    pub fn new(
        geographies: &'a Geographies,
        names: &'a AreaNames,
        locator: &'a Locator,
        is_outside_us: bool,
    ) -> Self {
        Self { geographies, names, region: Region { locator, is_outside_us } }
    }

    /// Checks and completes an address, and finds the areas that contain it. A county or DMA named in the row
    /// takes precedence over the derived one.
    pub(crate) fn locate(
        &self,
        address: Address,
        position: Option<Position>,
        fields: &mut Fields<'_>,
    ) -> Located<'a> {
        let mut contradictions = Vec::new();
        let (address, zip) = locate(address, position, self.region, fields, &mut contradictions);
        let [county, cbsa, dma] = zip.map_or([None; 3], |zip| [zip.county, zip.cbsa, zip.dma]);
        let mut given = |member, kind, derived| match fields.text(member) {
            Some(text) => self.given(member, kind, text, derived, &mut contradictions),
            None => derived,
        };
        let county = given("county", AreaKind::County, county);
        let dma = given("dma", AreaKind::Dma, dma);
        Located { address, zip, county, cbsa, dma, contradictions }
    }

    /// Returns the area named in a row or, if the name is unknown or ambiguous, the derived area. Adds a
    /// contradiction if the row names a different area than the derived one.
    fn given(
        &self,
        member: &'static str,
        kind: AreaKind,
        given: String,
        derived: Option<GeographyIndex>,
        contradictions: &mut Vec<Contradiction>,
    ) -> Option<GeographyIndex> {
        let code = |index: GeographyIndex| self.geographies.get(index).id.national_id().to_string();
        let is_derived =
            derived.is_some_and(|index| code(index).trim_start_matches('0') == given.trim_start_matches('0'));
        let named = self.named(kind, &given);
        if is_derived || derived.is_some_and(|derived| named.contains(&derived)) {
            return derived;
        }
        let only = if let [only] = named[..] { Some(only) } else { None };
        contradictions.push(Contradiction {
            member,
            given,
            derived: derived.map(|index| self.geographies.get(index).name.to_owned()),
            is_given_used: only.is_some(),
        });
        only.or(derived)
    }

    fn named(&self, kind: AreaKind, given: &str) -> Vec<GeographyIndex> {
        let named = self.names.find(kind, given);
        if !named.is_empty() {
            return named.to_vec();
        }
        match kind {
            AreaKind::Dma => self.region.locator.markets().find(given),
            _ => self.names.find(kind, &with_state_code(given)).to_vec(),
        }
    }
}

impl Contradiction {
    pub(super) fn new(member: &'static str, given: &str, derived: &str, is_given_used: bool) -> Self {
        Self { member, given: given.to_owned(), derived: Some(derived.to_owned()), is_given_used }
    }
}

/// Replaces the state in a name such as `Cook County, Illinois` with its two-letter code.
fn with_state_code(name: &str) -> String {
    match name.rsplit_once(',') {
        Some((area, state)) => format!("{area}, {}", letters(state)),
        None => name.to_owned(),
    }
}
