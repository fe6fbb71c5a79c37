//! Finds the points within a distance of a position.

use std::f64::consts::{FRAC_PI_2, PI};

use dataset::position::{EARTH_KM, UnitVector, great_circle_km};

/// The height of a strip in radians of latitude, which is about 25 km.
const STRIP: f64 = 0.004;

/// The number of strips between the poles.
const STRIPS: usize = (PI / STRIP) as usize + 1;

/// Numbered points on the Earth's surface, grouped into strips of latitude.
#[derive(Clone, Debug)]
pub(crate) struct Nearby {
    /// The strips from south to north, each sorted by longitude.
    strips: Vec<Vec<Point>>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    /// The longitude in radians.
    longitude: f64,
    number: usize,
    vector: UnitVector,
}

impl Nearby {
    pub(crate) fn new(points: impl Iterator<Item = (usize, UnitVector)>) -> Self {
        let mut strips = vec![Vec::new(); STRIPS];
        for (number, vector) in points {
            let (latitude, longitude) = coordinates(vector);
            strips[strip(latitude)].push(Point { longitude, number, vector });
        }
        for strip in &mut strips {
            strip.sort_by(|one, other| one.longitude.total_cmp(&other.longitude));
        }
        Self { strips }
    }

    /// Returns the numbers and distances of the points within `km` of `center`. Distances are in kilometers.
    pub(crate) fn within(&self, center: UnitVector, km: f64) -> impl Iterator<Item = (usize, f64)> {
        let angle = km / EARTH_KM;
        let (latitude, longitude) = coordinates(center);
        let strips = &self.strips[strip(latitude - angle)..=strip(latitude + angle)];
        let half_width = half_width(latitude, angle);
        let is_across_the_date_line = longitude.abs() + half_width > PI;
        let candidates = strips.iter().flat_map(move |strip| {
            if is_across_the_date_line {
                return &strip[..];
            }
            let first = strip.partition_point(|point| point.longitude < longitude - half_width);
            let after =
                first + strip[first..].partition_point(|point| point.longitude <= longitude + half_width);
            &strip[first..after]
        });
        let distances = candidates.map(move |point| (point.number, great_circle_km(center, point.vector)));
        distances.filter(move |(_, distance)| *distance <= km)
    }
}

/// Returns the maximum difference in longitude between a circle's center and its edge, in radians. It's
/// rounded up, so that no point on the edge is missed.
fn half_width(latitude: f64, angle: f64) -> f64 {
    if latitude.abs() + angle >= FRAC_PI_2 {
        return PI;
    }
    (angle.sin() / latitude.cos()).asin() + 1e-9
}

fn strip(latitude: f64) -> usize {
    let from_south = latitude.clamp(-FRAC_PI_2, FRAC_PI_2) + FRAC_PI_2;
    (from_south / STRIP) as usize
}

/// Returns the latitude and longitude in radians.
fn coordinates([x, y, z]: UnitVector) -> (f64, f64) {
    (z.clamp(-1.0, 1.0).asin(), y.atan2(x))
}

#[cfg(test)]
mod tests {
    use dataset::Position;

    use super::*;

    /// The latitude and longitude of each circle's center in degrees, and its radius in kilometers.
    const CIRCLES: [(f64, f64, f64); 8] = [
        (40.0, -100.0, 72.0),
        (40.0, -100.0, 0.0),
        (51.9, -179.95, 200.0),
        (51.9, 179.95, 200.0),
        (89.9, 10.0, 500.0),
        (-89.9, 10.0, 500.0),
        (0.0, 0.0, 3000.0),
        (64.0, -150.0, 30_000.0),
    ];

    #[test]
    fn within_finds_exactly_the_points_of_a_circle() {
        let mut random = fastrand::Rng::with_seed(7);
        for (latitude, longitude, km) in CIRCLES {
            let center = Position { latitude, longitude }.to_unit_vector();
            let mut points: Vec<UnitVector> = Vec::new();
            for _ in 0..2_000 {
                let spread = km / 100.0 + 0.1;
                let latitude = latitude + (random.f64() - 0.5) * 2.0 * spread;
                let longitude = longitude + (random.f64() - 0.5) * 4.0 * spread;
                points.push(Position { latitude: latitude.clamp(-90.0, 90.0), longitude }.to_unit_vector());
            }
            points.push(center);
            let nearby = Nearby::new(points.iter().copied().enumerate());
            let mut found: Vec<usize> = nearby.within(center, km).map(|(number, _)| number).collect();
            found.sort_unstable();
            let is_within = |number: &usize| great_circle_km(center, points[*number]) <= km;
            let expected: Vec<usize> = (0..points.len()).filter(is_within).collect();
            assert_eq!(found, expected, "{km} km around {latitude}, {longitude}");
        }
    }
}
