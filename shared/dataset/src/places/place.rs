//! A place in a release.

use provenance::RecordSource;

use super::id::PlaceId;
use crate::geographies::GeographyIndex;
use crate::position::Position;

/// The position of a place in its release, starting at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceIndex(u32);

impl PlaceIndex {
    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }
}

/// A place that was read from a release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place<'a> {
    /// The ID, which is either assigned by the data source or derived from the name, street address, and ZIP
    /// code.
    pub id: PlaceId,
    /// The name of the place.
    pub name: &'a str,
    /// The chain that the place belongs to, if any, as spelled by the data source.
    pub brand: Option<&'a str>,
    /// The ID of the place type, which is derived from the type's name.
    pub place_type_id: u32,
    /// The name of the place type.
    pub place_type: &'a str,
    /// The house number and street. Can be empty.
    pub street_address: &'a str,
    /// The city of the postal address.
    pub city: &'a str,
    /// The abbreviation of the state, such as `NY`.
    pub state: &'a str,
    /// The postal code: five digits in the United States, any string elsewhere.
    pub zip_code: &'a str,
    /// The latitude, in degrees north of the equator.
    pub latitude: f64,
    /// The longitude, in degrees east of Greenwich.
    pub longitude: f64,
    /// The date of the data source's record for the place, as `YYYY-MM-DD`.
    pub published_date: &'a str,
    /// The place's number or code in the register that the data comes from, or an empty string.
    pub register_id: &'a str,
    /// The county that the place is in, if known.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that the place is in, if known.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that the place is in, if known.
    pub dma: Option<GeographyIndex>,
    /// The geography for the ZIP code, if the release has one.
    pub zip: Option<GeographyIndex>,
}

/// A place to be written to a release. The fields are the same as in [`Place`], except where noted.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPlace {
    pub id: PlaceId,
    pub name: String,
    /// The chain, or an empty string if the place doesn't belong to one.
    pub brand: String,
    pub place_type: String,
    pub street_address: String,
    pub city: String,
    pub state: String,
    pub zip_code: String,
    pub position: Position,
    pub published_date: String,
    pub register_id: String,
    pub county: Option<GeographyIndex>,
    pub cbsa: Option<GeographyIndex>,
    pub dma: Option<GeographyIndex>,
    pub zip: Option<GeographyIndex>,
    /// The data source of the record.
    pub source: RecordSource,
}

impl NewPlace {
    /// Copies a place that was read from a release.
    pub(super) fn copied(place: Place<'_>, source: RecordSource) -> Self {
        Self {
            id: place.id,
            name: place.name.to_owned(),
            brand: place.brand.unwrap_or_default().to_owned(),
            place_type: place.place_type.to_owned(),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            zip_code: place.zip_code.to_owned(),
            position: Position { latitude: place.latitude, longitude: place.longitude },
            published_date: place.published_date.to_owned(),
            register_id: place.register_id.to_owned(),
            county: place.county,
            cbsa: place.cbsa,
            dma: place.dma,
            zip: place.zip,
            source,
        }
    }
}
