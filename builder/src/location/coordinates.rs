//! Checks coordinates in degrees, and detects swapped ones.

use dataset::Position;

/// The reason to report if a position is plausible only with its coordinates swapped.
pub(crate) const SWAPPED: &str = "latitude and longitude look swapped";

/// Returns whether both coordinates are within their bounds.
pub(crate) fn is_position(Position { latitude, longitude }: Position) -> bool {
    (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)
}

pub(crate) fn swapped(Position { latitude, longitude }: Position) -> Position {
    Position { latitude: longitude, longitude: latitude }
}
