//! Coordinates in degrees, and the mistake that is made with them most.

use dataset::Position;

/// The likely cause of a position that is elsewhere.
pub(crate) const SWAPPED: &str = "latitude and longitude look swapped";

/// Tells whether both coordinates are within their bounds.
pub(crate) fn is_position(Position { latitude, longitude }: Position) -> bool {
    (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)
}

pub(crate) fn swapped(Position { latitude, longitude }: Position) -> Position {
    Position { latitude: longitude, longitude: latitude }
}
