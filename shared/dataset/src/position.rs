//! Points on the globe, and how far they are from each other.
//!
//! A point as a unit vector is what distances are computed with: the straight distance between two orders
//! them as the great circle does, everywhere.

/// The Earth's mean radius.
pub const EARTH_KM: f64 = 6371.0088;

/// The centimetres of a kilometre.
pub(crate) const CENTIMETRES: f64 = 1e5;

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

impl From<(f64, f64)> for Position {
    /// Takes degrees north and degrees east.
    fn from((latitude, longitude): (f64, f64)) -> Self {
        Self { latitude, longitude }
    }
}

impl Position {
    pub fn to_unit_vector(self) -> UnitVector {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    }
}

/// A distance in whole centimetres: what is sorted by is what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance(u32);

impl Distance {
    /// Measures along the great circle. No two points of the Earth are farther apart than 2^31 centimetres.
    pub fn between(a: UnitVector, b: UnitVector) -> Self {
        Self((great_circle_km(a, b) * CENTIMETRES).round() as u32)
    }

    pub const fn centimetres(self) -> u32 {
        self.0
    }

    /// Returns it in metres, with at most two decimals.
    pub fn metres(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// Returns the distance along the great circle between two points.
pub fn great_circle_km(a: UnitVector, b: UnitVector) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    2.0 * EARTH_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
