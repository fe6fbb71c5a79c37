//! Where a synthetic spot stands: at a corner of one of a few roads through its ZIP code.

use dataset::Position;

use super::markets::{MICRODEGREES, Zip};
use super::roads::{Road, describe};
use crate::displays::Setting;
use crate::random_stream::{Purpose, RandomStream};

/// How often displays stand at each road of a ZIP code, the busiest first.
const ROADS: [u32; 7] = [34, 22, 15, 11, 8, 6, 4];

/// The corners along a road.
const CORNERS: u64 = 8;

/// Eight directions, clockwise from north, in thousandths east and north. Streets mostly run along the grid.
const DIRECTIONS: [(i64, i64); 8] =
    [(0, 1000), (383, 924), (707, 707), (924, 383), (1000, 0), (924, -383), (707, -707), (383, -924)];

/// A point at a road.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) position: Position,
    /// The road or intersection.
    pub(super) primary_artery: String,
    /// The traffic that a display faces, in degrees clockwise from north.
    pub(super) orientation: u32,
    /// The side of the corner: a letter of the compass.
    pub(super) side: &'static str,
}

/// Draws a point at a road of a ZIP code. Roads and corners are the same for all spots of a seed.
pub(super) fn site(seed: u64, zip: &Zip<'_>, random: &mut RandomStream) -> Site {
    let number = random.weighted(0..ROADS.len(), |road| ROADS[*road]) as u64;
    let course = Course::of(seed, zip, number);
    // In the middle of the ZIP code there are more than at its edge.
    let corner = (random.below(CORNERS) + random.below(CORNERS)) / 2;
    let (against, jitter) = (random.below(2), random.below(10) as u32);
    let heading = course.direction as u32 * 45 / 2 + if against == 1 { 180 } else { 0 };
    let side = compass(heading);
    let mut of_corner =
        RandomStream::of(seed, Purpose::Corner, (zip.number * 16 + number) * CORNERS + corner);
    let primary_artery = describe(course.road, corner, &mut of_corner, side);
    let along =
        (2 * corner as i64 + 1 - CORNERS as i64) * zip.reach() / CORNERS as i64 + random.between(-80, 80);
    let position = course.point(zip, along, random.between(-25, 25));
    Site { position, primary_artery, orientation: (heading + jitter) % 360, side }
}

/// Returns a point at most so many metres from another one.
pub(super) fn near(position: Position, metres: i64, random: &mut RandomStream) -> Position {
    let whole = |degrees: f64| (degrees * MICRODEGREES as f64).round() as i64;
    let (latitude, longitude) = (whole(position.latitude), whole(position.longitude));
    moved(latitude, longitude, random.between(-metres, metres), random.between(-metres, metres))
}

/// A road and the straight line that it takes through a ZIP code.
struct Course {
    road: Road,
    direction: usize,
    /// Where it passes the middle, in metres east and north of it.
    east: i64,
    north: i64,
}

impl Course {
    fn of(seed: u64, zip: &Zip<'_>, number: u64) -> Self {
        let mut random = RandomStream::of(seed, Purpose::Road, zip.number * 16 + number);
        let highways = match zip.setting {
            Setting::Core => 250,
            Setting::City => 450,
            Setting::Country => 700,
        };
        // The busiest road may be a highway, of which a county has a few; the others seldom are.
        let road = if random.chance(if number == 0 { highways } else { 80 }) {
            let of_county = zip.county * 4 + random.low(4);
            Road::highway(&mut RandomStream::of(seed, Purpose::Highway, of_county))
        } else {
            Road::street(&mut random)
        };
        let is_on_grid = random.chance(600);
        let direction = if is_on_grid { *random.pick(&[0, 4]) } else { random.below(8) as usize };
        let half = zip.reach() / 2;
        Self { road, direction, east: random.between(-half, half), north: random.between(-half, half) }
    }

    /// Returns the point so many metres along the road, and so many beside it.
    fn point(&self, zip: &Zip<'_>, along: i64, beside: i64) -> Position {
        let (east, north) = DIRECTIONS[self.direction];
        let metres_east = self.east + (along * east + beside * north) / 1000;
        let metres_north = self.north + (along * north - beside * east) / 1000;
        moved(zip.latitude, zip.longitude, metres_east, metres_north)
    }
}

/// Returns the point so many metres east and north of another one, which is in millionths of a degree.
fn moved(latitude: i64, longitude: i64, east: i64, north: i64) -> Position {
    let millionths = |metres: i64| metres * 8_993 / 1_000;
    let limit = 90 * MICRODEGREES;
    let latitude = (latitude + millionths(north)).clamp(-limit, limit);
    let east = (millionths(east) as f64 / cosine(latitude as f64 / MICRODEGREES as f64)).round() as i64;
    // Beyond the antimeridian, degrees begin anew.
    let longitude = (longitude + east + 2 * limit).rem_euclid(4 * limit) - 2 * limit;
    let degrees = |millionths: i64| millionths as f64 / MICRODEGREES as f64;
    Position { latitude: degrees(latitude), longitude: degrees(longitude) }
}

/// Returns the cosine of a latitude, at least a hundredth. It is summed up here, since a machine's own may
/// differ from another's in the last digit.
fn cosine(degrees: f64) -> f64 {
    let radians = degrees * std::f64::consts::PI / 180.0;
    let (mut sum, mut term) = (1.0, 1.0);
    for two_factors in [1.0 * 2.0, 3.0 * 4.0, 5.0 * 6.0, 7.0 * 8.0, 9.0 * 10.0, 11.0 * 12.0] {
        term *= -radians * radians / two_factors;
        sum += term;
    }
    f64::max(sum, 0.01)
}

fn compass(heading: u32) -> &'static str {
    match heading % 360 {
        45..135 => "E",
        135..225 => "S",
        225..315 => "W",
        _ => "N",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_moved_by_metres_wherever_they_are() {
        for (latitude, longitude) in [(0, 0), (40_700_000, -74_000_000), (71_300_000, 179_999_999)] {
            let Position { latitude: north, longitude: east } = moved(latitude, longitude, 1_000, 1_000);
            let metres = (north - latitude as f64 / 1e6) * 111_195.0;
            assert!((metres - 1000.0).abs() < 1.0, "{metres}");
            let degrees = (east - longitude as f64 / 1e6).rem_euclid(360.0);
            let metres = degrees * 111_195.0 * (latitude as f64 / 1e6).to_radians().cos();
            assert!((metres - 1000.0).abs() < 2.0, "{metres}");
            assert!((-180.0..=180.0).contains(&east), "{east}");
        }
        for degrees in [0.0, 25.0, 60.0, 71.3] {
            assert!((cosine(degrees) - f64::to_radians(degrees).cos()).abs() < 1e-6, "{degrees}");
        }
    }
}
