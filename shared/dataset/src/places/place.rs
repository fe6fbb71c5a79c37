//! A place: as a release shows it, and as it is written.

use provenance::RecordSource;

use super::id::PlaceId;
use crate::geographies::GeographyIndex;
use crate::position::Position;

/// The position of a place in its release.
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

/// A place of a release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place<'a> {
    /// Given by its operator; or derived, and the same as long as name, street address and ZIP code are.
    pub id: PlaceId,
    /// What it is called.
    pub name: &'a str,
    /// The brand that it belongs to; empty without one.
    pub brand: &'a str,
    /// Follows from the name of its type.
    pub place_type_id: u32,
    /// What kind of place it is.
    pub place_type: &'a str,
    /// House number and street; may be empty.
    pub street_address: &'a str,
    /// The postal city.
    pub city: &'a str,
    /// The state's abbreviation.
    pub state: &'a str,
    /// Five digits; outside the United States any text.
    pub zip_code: &'a str,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// When its entry was published, `YYYY-MM-DD`.
    pub published_date: &'a str,
    /// The county that it lies in.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that it lies in.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that it lies in.
    pub dma: Option<GeographyIndex>,
    /// The area of its ZIP code.
    pub zip: Option<GeographyIndex>,
}

/// A place that is to be written; its fields are those of [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct NewPlace {
    pub id: PlaceId,
    pub name: String,
    pub brand: String,
    pub place_type: String,
    pub street_address: String,
    pub city: String,
    pub state: String,
    pub zip_code: String,
    pub position: Position,
    pub published_date: String,
    pub county: Option<GeographyIndex>,
    pub cbsa: Option<GeographyIndex>,
    pub dma: Option<GeographyIndex>,
    pub zip: Option<GeographyIndex>,
    /// Whose data it is.
    pub source: RecordSource,
}

impl NewPlace {
    /// Copies a place of a release.
    pub(super) fn copied(place: Place<'_>, source: RecordSource) -> Self {
        Self {
            id: place.id,
            name: place.name.to_owned(),
            brand: place.brand.to_owned(),
            place_type: place.place_type.to_owned(),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            zip_code: place.zip_code.to_owned(),
            position: Position { latitude: place.latitude, longitude: place.longitude },
            published_date: place.published_date.to_owned(),
            county: place.county,
            cbsa: place.cbsa,
            dma: place.dma,
            zip: place.zip,
            source,
        }
    }
}
