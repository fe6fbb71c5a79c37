//! Points on the globe, and how far they are from each other.
//!
//! A point as a unit vector is what distances are computed with: the straight distance between two orders
//! them as the great circle does, everywhere.

/// The Earth's mean radius.
pub const EARTH_KM: f64 = 6371.0088;

/// A point on the globe, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// North of the equator.
    pub latitude: f64,
    /// East of Greenwich.
    pub longitude: f64,
}

/// A point as a unit vector.
pub type UnitVector = [f64; 3];

impl Position {
    pub fn to_unit_vector(self) -> UnitVector {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    }
}

/// Returns the distance along the great circle between two points.
pub fn great_circle_km(a: UnitVector, b: UnitVector) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    2.0 * EARTH_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
