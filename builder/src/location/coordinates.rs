//! Checks coordinates in degrees and detects swapped coordinates.

use dataset::Position;

/// The reason for rejecting a position that is plausible only with its coordinates swapped.
pub(crate) const SWAPPED: &str = "latitude and longitude look swapped";

/// Returns whether the latitude is from -90 to 90 and the longitude is from -180 to 180.
pub(crate) fn is_position(Position { latitude, longitude }: Position) -> bool {
    (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)
}

pub(crate) fn swapped(Position { latitude, longitude }: Position) -> Position {
    Position { latitude: longitude, longitude: latitude }
}
