//! Parts that campaign and event estimates share: rounded figures, positions, and unknown IDs.

use std::collections::HashSet;

use gateway::{Feature, PointMembers, quoted};
use serde::Serialize;

/// A position, in the same format as in requests to place search.
#[derive(Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

impl Location {
    /// Describes how to convert rows with a `location` to GeoJSON. `id` is the name of the member that
    /// contains the ID.
    pub(crate) const fn feature(id: &'static str) -> Feature {
        let point = PointMembers::Each { longitude: "location.lon", latitude: "location.lat" };
        Feature { id, point, position: &["location"] }
    }
}

/// Removes repeated IDs and preserves the order.
pub(crate) fn distinct(ids: Vec<&str>) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.into_iter().filter(|id| seen.insert(*id)).map(str::to_owned).collect()
}

/// Returns a phrase that names the first unknown ID, to append to an error message, or an empty string if
/// there are no unknown IDs.
pub(crate) fn such_as(unknown_ids: &[String]) -> String {
    unknown_ids.first().map_or_else(String::new, |id| format!(", such as {}", quoted(id)))
}

/// Rounds a non-negative figure to a whole number.
#[expect(clippy::cast_sign_loss, reason = "all figures are positive")]
pub(crate) fn whole(figure: f64) -> u64 {
    figure.round() as u64
}

/// Rounds a figure to two decimal places.
pub(crate) fn hundredths(figure: f64) -> f64 {
    (100.0 * figure).round() / 100.0
}
