//! Members that the responses of several estimates have: rounded figures, and positions.

use gateway::{Feature, PointMembers};
use serde::Serialize;

/// A position, as in place search.
#[derive(Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

impl Location {
    /// Returns how to convert rows with this ID and a `location` to GeoJSON.
    pub(crate) const fn feature(id: &'static str) -> Feature {
        let point = PointMembers::Each { longitude: "location.lon", latitude: "location.lat" };
        Feature { id, point, position: &["location"] }
    }
}

/// Rounds a positive figure to a whole number.
#[expect(clippy::cast_sign_loss, reason = "all figures are positive")]
pub(crate) fn whole(figure: f64) -> u64 {
    figure.round() as u64
}

/// Rounds a figure to two decimals.
pub(crate) fn hundredths(figure: f64) -> f64 {
    (100.0 * figure).round() / 100.0
}
