//! Points on the Earth's surface and the distances between them.
//!
//! Distances are computed from unit vectors: sorting by the straight-line distance between two vectors gives
//! the same order as sorting by the great-circle distance, everywhere on Earth.

/// The Earth's mean radius in kilometres.
pub const EARTH_KM: f64 = 6371.0088;

/// The number of centimetres in a kilometre.
pub(crate) const CENTIMETRES: f64 = 1e5;

/// A point on the Earth's surface, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Degrees north of the equator; negative to the south.
    pub latitude: f64,
    /// Degrees east of Greenwich; negative to the west.
    pub longitude: f64,
}

/// A point on the unit sphere around the Earth's centre.
pub type UnitVector = [f64; 3];

impl From<(f64, f64)> for Position {
    /// Converts from (latitude, longitude) in degrees.
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

/// A distance in whole centimetres, so that results are sorted by the same value as they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance(u32);

impl Distance {
    /// Returns the great-circle distance. It always fits: no two points on Earth are more than 2^31
    /// centimetres apart.
    pub fn between(a: UnitVector, b: UnitVector) -> Self {
        Self((great_circle_km(a, b) * CENTIMETRES).round() as u32)
    }

    pub const fn centimetres(self) -> u32 {
        self.0
    }

    /// Returns the distance in metres, with at most two decimals.
    pub fn metres(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// Returns the great-circle distance between two points, in kilometres.
pub fn great_circle_km(a: UnitVector, b: UnitVector) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    2.0 * EARTH_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
