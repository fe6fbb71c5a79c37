//! Converts a flat row's location to the format used in records.

use dataset::inventory::geo_point;
use dataset::inventory::record::{Geometry, GeometryKind, Location, Text};
use dataset::{GeographyIndex, Position};

use crate::columns::Fields;
use crate::location::{Address, Contradiction, Located, LocatedAddress, Markets};

/// A display's location and the names in its row that contradict it.
pub(super) struct DisplayLocation {
    pub(super) location: Location<'static>,
    /// Whether the display is outside the United States. If so, it isn't in any area.
    pub(super) is_outside: bool,
    pub(super) contradictions: Vec<Contradiction>,
}

/// Determines a display's location, and the areas that contain it.
pub(super) fn location(position: Position, markets: Markets<'_>, fields: &mut Fields<'_>) -> DisplayLocation {
    let address = Address {
        city: None,
        state: fields.text("state"),
        zip_code: fields.text("zip_code"),
        country: fields.text("country"),
    };
    let Located { address, zip, county, cbsa, dma, contradictions } =
        markets.locate(address, Some(position), fields);
    let LocatedAddress { state, zip_code, .. } = address;
    let area = |index: GeographyIndex| markets.geographies.get(index);
    let code = |index: Option<GeographyIndex>| {
        index.map(|index| Text::Owned(area(index).id.national_id().to_string()))
    };
    let name = |index: Option<GeographyIndex>| index.map(|index| Text::Owned(area(index).name.to_owned()));
    let filled = |text: String| (!text.is_empty()).then_some(Text::Owned(text));
    let location = Location {
        state: filled(state),
        county_id: code(county),
        county_name: name(county),
        dma_id: code(dma),
        dma_name: name(dma),
        cbsa_code: code(cbsa),
        cbsa_name: name(cbsa),
        zip_code: filled(zip_code),
        geometry: Some(Geometry {
            kind: Some(GeometryKind::Point),
            coordinates: Some([position.longitude, position.latitude]),
        }),
        geo_point: Some(Text::Owned(geo_point(position))),
        ..Location::default()
    };
    DisplayLocation { location, is_outside: zip.is_none(), contradictions }
}
