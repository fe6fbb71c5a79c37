//! Points on the Earth's surface and the distances between them.
//!
//! Distances are computed from unit vectors. Sorting by the straight-line distance between unit vectors gives
//! the same order as sorting by great-circle distance.

use serde::{Deserialize, Serialize};

/// The Earth's mean radius, in kilometers.
pub const EARTH_KM: f64 = 6371.0088;

/// The northern edge of the web map, in degrees of latitude. The southern edge is at the same latitude south
/// of the equator.
pub(crate) const MERCATOR_LATITUDE: f64 = 85.051_128_779_806_59;

/// The number of centimeters in a kilometer.
pub(crate) const CENTIMETERS_PER_KM: f64 = 1e5;

/// A point on the Earth's surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Degrees north of the equator, negative in the southern hemisphere.
    pub latitude: f64,
    /// Degrees east of Greenwich, negative in the western hemisphere.
    pub longitude: f64,
}

/// A point on the unit sphere around the Earth's center.
pub type UnitVector = [f64; 3];

impl From<(f64, f64)> for Position {
    /// Converts a (latitude, longitude) pair in degrees.
    fn from((latitude, longitude): (f64, f64)) -> Self {
        Self { latitude, longitude }
    }
}

impl Position {
    pub fn to_unit_vector(self) -> UnitVector {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    }

    /// Projects the position onto the unit square of the web map (Web Mercator). The result is `[x, y]`: x
    /// runs from 0 in the west to 1 in the east, and y from 0 in the north to 1 in the south.
    pub fn to_web_map(self) -> [f64; 2] {
        let sine = self.latitude.clamp(-MERCATOR_LATITUDE, MERCATOR_LATITUDE).to_radians().sin();
        let y = 0.5 - ((1.0 + sine) / (1.0 - sine)).ln() / (4.0 * std::f64::consts::PI);
        [self.longitude / 360.0 + 0.5, y]
    }
}

/// A distance in whole centimeters. Sorting and results use the same rounded value, so they never contradict
/// each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance(u32);

impl Distance {
    /// Returns the great-circle distance between two points, rounded to the nearest centimeter. No two points
    /// on Earth are more than 2^31 centimeters apart, so the result always fits in 32 bits.
    pub fn between(a: UnitVector, b: UnitVector) -> Self {
        Self((great_circle_km(a, b) * CENTIMETERS_PER_KM).round() as u32)
    }

    pub const fn centimeters(self) -> u32 {
        self.0
    }

    /// Returns the distance in meters, with at most two decimal places.
    pub fn meters(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// Returns the great-circle distance between two points, in kilometers.
pub fn great_circle_km(a: UnitVector, b: UnitVector) -> f64 {
    let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    2.0 * EARTH_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
