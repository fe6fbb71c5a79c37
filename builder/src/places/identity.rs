//! The identity of places without an ID.

use dataset::{PlaceId, Position, normalize};

/// The properties that identify a place: its name, street address, and ZIP code, ignoring case, accents, and
/// extra spaces. A missing street address or ZIP code is replaced by the position, rounded to about ten
/// meters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlaceIdentity([String; 3]);

impl PlaceIdentity {
    pub(crate) fn of(name: &str, street_address: &str, zip_code: &str, position: Position) -> Self {
        let Position { latitude, longitude } = position;
        // Adding 0 turns -0 into 0.
        let ten_thousandths = |degrees: f64| (degrees * 10_000.0).round() + 0.0;
        let or_position = |text: &str| match normalize(text) {
            text if text.is_empty() => {
                format!("@{},{}", ten_thousandths(latitude), ten_thousandths(longitude))
            }
            text => text,
        };
        Self([normalize(name), or_position(street_address), or_position(zip_code)])
    }

    /// Derives the place's ID, which is the same in every release.
    pub(crate) fn id(&self) -> PlaceId {
        let Self([name, street_address, zip_code]) = self;
        PlaceId::of(name, street_address, zip_code)
    }
}
