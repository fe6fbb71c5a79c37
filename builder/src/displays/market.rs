//! The areas that contain a display, in the form that a record states them.

use dataset::inventory::geo_point;
use dataset::inventory::record::{Geometry, GeometryKind, Location, Text};
use dataset::{AreaKind, AreaNames, Geographies, GeographyIndex, Position};

use crate::columns::Fields;
use crate::location::{Address, LocatedAddress, Locator, Region, locate};

/// Finds the areas that contain displays.
#[derive(Clone, Copy)]
pub struct Markets<'a> {
    pub(crate) geographies: &'a Geographies,
    pub(crate) names: &'a AreaNames,
    pub(crate) region: Region<'a>,
}

/// The location of a display.
pub(super) struct Located {
    pub(super) location: Location<'static>,
    /// Whether the display is outside the United States, and therefore in no area.
    pub(super) is_outside: bool,
    pub(super) contradictions: Vec<Contradiction>,
}

/// An area that a row names, and that differs from the area that follows from the row's position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contradiction {
    /// `county` or `dma`.
    pub member: &'static str,
    pub given: String,
    /// The name of the derived area, or `None` if the position is in no area of this kind.
    pub derived: Option<String>,
    /// Whether the record has the given area. It has the derived one if the given name is unknown or
    /// ambiguous.
    pub is_given_used: bool,
}

impl<'a> Markets<'a> {
    /// Finds areas by the names in `names` and by position. `is_foreign` says whether rows without a country
    /// are outside the United States.
    pub fn new(
        geographies: &'a Geographies,
        names: &'a AreaNames,
        locator: &'a Locator,
        is_foreign: bool,
    ) -> Self {
        Self { geographies, names, region: Region { locator, is_foreign } }
    }

    /// Locates a display. A county or DMA that the row gives takes precedence over the derived one.
    pub(super) fn location(&self, position: Position, fields: &mut Fields<'_>) -> Located {
        let address = Address {
            city: None,
            state: fields.text("state"),
            zip_code: fields.text("zip_code"),
            country: fields.text("country"),
        };
        let (LocatedAddress { state, zip_code, .. }, area) =
            locate(address, Some(position), self.region, fields);
        let [county, cbsa, dma] = area.map_or([None; 3], |area| [area.county, area.cbsa, area.dma]);
        let mut contradictions = Vec::new();
        let mut given = |member, kind, derived| match fields.text(member) {
            Some(text) => self.given(member, kind, text, derived, &mut contradictions),
            None => derived,
        };
        let county = given("county", AreaKind::County, county);
        let dma = given("dma", AreaKind::Dma, dma);
        let filled = |text: String| (!text.is_empty()).then_some(Text::Owned(text));
        let location = Location {
            state: filled(state),
            county_id: self.code(county),
            county_name: self.name(county),
            dma_id: self.code(dma),
            dma_name: self.name(dma),
            cbsa_code: self.code(cbsa),
            cbsa_name: self.name(cbsa),
            zip_code: filled(zip_code),
            geometry: Some(Geometry {
                kind: Some(GeometryKind::Point),
                coordinates: Some([position.longitude, position.latitude]),
            }),
            geo_point: Some(Text::Owned(geo_point(position))),
            ..Location::default()
        };
        Located { location, is_outside: area.is_none(), contradictions }
    }

    /// Returns the area that a row names, and adds a contradiction if it isn't the derived one.
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
        let named = self.names.find(kind, &given);
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

    fn code(&self, area: Option<GeographyIndex>) -> Option<Text<'static>> {
        area.map(|area| Text::Owned(self.geographies.get(area).id.national_id().to_string()))
    }

    fn name(&self, area: Option<GeographyIndex>) -> Option<Text<'static>> {
        area.map(|area| Text::Owned(self.geographies.get(area).name.to_owned()))
    }
}
