//! Points on the globe as unit vectors: the straight distance between two orders them as the great circle does,
//! everywhere.

use crate::Position;

/// The Earth's mean radius.
pub const EARTH_KM: f64 = 6371.0088;

/// A point as a unit vector.
pub type Point = [f64; 3];

/// Returns the point at a position.
pub fn point(Position { latitude, longitude }: Position) -> Point {
    let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
    [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
}

/// Returns the distance over the ground between two points.
pub fn km_between(a: Point, b: Point) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    2.0 * EARTH_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
