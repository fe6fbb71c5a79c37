//! The markets that contain a spot, as a record names them.

use dataset::inventory::geo_point;
use dataset::inventory::record::{Geometry, GeometryKind, Location, Text};
use dataset::{Geographies, GeographyIndex, Position};

use crate::columns::Fields;
use crate::location::{Address, LocatedAddress, Locator, Region, locate};

/// Finds the markets that contain spots.
#[derive(Clone, Copy)]
pub struct Markets<'a> {
    pub(super) geographies: &'a Geographies,
    pub(super) region: Region<'a>,
}

impl<'a> Markets<'a> {
    /// Finds markets among the geographies of a release. `is_foreign` says whether rows that name no country
    /// are outside the United States.
    pub fn new(geographies: &'a Geographies, locator: &'a Locator, is_foreign: bool) -> Self {
        Self { geographies, region: Region { locator, is_foreign } }
    }

    /// Returns the point and its markets, and whether it lies outside the United States, in none.
    pub(super) fn location(&self, position: Position, fields: &mut Fields<'_>) -> (Location<'static>, bool) {
        let address = Address {
            city: None,
            state: fields.text("state"),
            zip_code: fields.text("zip_code"),
            country: fields.text("country"),
        };
        let (LocatedAddress { state, zip_code, .. }, area) =
            locate(address, Some(position), self.region, fields);
        let [county, cbsa, dma] = area.map_or([None; 3], |area| [area.county, area.cbsa, area.dma]);
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
        (location, area.is_none())
    }

    fn code(&self, area: Option<GeographyIndex>) -> Option<Text<'static>> {
        area.map(|area| Text::Owned(self.geographies.get(area).id.national_id().to_string()))
    }

    fn name(&self, area: Option<GeographyIndex>) -> Option<Text<'static>> {
        area.map(|area| Text::Owned(self.geographies.get(area).name.to_owned()))
    }
}
