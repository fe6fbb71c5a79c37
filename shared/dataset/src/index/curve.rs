//! The Z-order curve over the square web map (Web Mercator).
//!
//! The curve visits the quadrants of a quadtree in order. Each quadrant is a tile of the web map, and the
//! keys of the points in a quadrant form one contiguous range. A point's key interleaves the bits of the
//! column and row of the smallest quadrant that contains the point.

use std::ops::Range;

use crate::position::Position;

/// The zoom level of the smallest quadrants, with 26 bits per axis. A map tile at zoom level 14 is 4,096 of
/// these quadrants wide.
pub(crate) const BOTTOM: u8 = 26;

/// The margin added to each side of a quadrant's bounds, in degrees. It absorbs the rounding errors of points
/// near the edges.
const MARGIN: f64 = 1e-9;

/// Returns the latitude, in degrees, for a y coordinate in the unit square.
fn latitude(y: f64) -> f64 {
    (std::f64::consts::PI * (1.0 - 2.0 * y)).sinh().atan().to_degrees()
}

/// A quadrant of the quadtree. Each zoom level has `4^zoom` quadrants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quadrant {
    pub(crate) zoom: u8,
    pub(crate) x: u32,
    pub(crate) y: u32,
}

/// The parallels and meridians that bound a quadrant, in degrees. A quadrant at the edge of the web map also
/// includes the points beyond that edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) north: f64,
    pub(crate) south: f64,
    pub(crate) west: f64,
    pub(crate) east: f64,
}

impl Quadrant {
    /// The whole map.
    pub(crate) const ROOT: Self = Self { zoom: 0, x: 0, y: 0 };

    /// Returns the bottom-level quadrant with the given key.
    pub(crate) fn of_key(key: u64) -> Self {
        Self { zoom: BOTTOM, x: gathered(key), y: gathered(key >> 1) }
    }

    /// Returns the quadrant's four children in curve order, or `None` at the bottom level.
    pub(crate) fn children(self) -> Option<[Self; 4]> {
        let Self { zoom, x, y } = self;
        let child = |right, below| Self { zoom: zoom + 1, x: 2 * x + right, y: 2 * y + below };
        (zoom < BOTTOM).then(|| [child(0, 0), child(1, 0), child(0, 1), child(1, 1)])
    }

    pub(crate) fn bounds(self) -> Bounds {
        let quadrants = f64::from(1_u32 << self.zoom);
        let meridian = |x: u32| f64::from(x) / quadrants * 360.0 - 180.0;
        let parallel = |y: u32| latitude(f64::from(y) / quadrants);
        let is_last = self.y + 1 == 1 << self.zoom;
        Bounds {
            north: if self.y == 0 { 90.0 } else { parallel(self.y) + MARGIN },
            south: if is_last { -90.0 } else { parallel(self.y + 1) - MARGIN },
            west: meridian(self.x) - MARGIN,
            east: meridian(self.x + 1) + MARGIN,
        }
    }

    /// Returns the range of keys for points in the quadrant.
    pub(super) fn keys(self) -> Range<u64> {
        let shift = 2 * u32::from(BOTTOM - self.zoom);
        let key = interleaved(self.x, self.y);
        key << shift..(key + 1) << shift
    }
}

/// Returns the key of the smallest quadrant that contains a position.
pub(super) fn key(position: Position) -> u64 {
    let quadrants = f64::from(1_u32 << BOTTOM);
    let quadrant = |part: f64| (part * quadrants).clamp(0.0, quadrants - 1.0) as u32;
    let [x, y] = position.to_web_map();
    interleaved(quadrant(x), quadrant(y))
}

/// Interleaves the bits of two numbers. In each pair of bits, the lower one is from `x`.
fn interleaved(x: u32, y: u32) -> u64 {
    spread(x) | spread(y) << 1
}

/// Inserts a zero bit above each bit of a number.
fn spread(number: u32) -> u64 {
    let number = u64::from(number);
    let number = (number | number << 16) & 0x0000_FFFF_0000_FFFF;
    let number = (number | number << 8) & 0x00FF_00FF_00FF_00FF;
    let number = (number | number << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let number = (number | number << 2) & 0x3333_3333_3333_3333;
    (number | number << 1) & 0x5555_5555_5555_5555
}

/// Extracts every second bit of a number, starting with the lowest one.
fn gathered(number: u64) -> u32 {
    let number = number & 0x5555_5555_5555_5555;
    let number = (number | number >> 1) & 0x3333_3333_3333_3333;
    let number = (number | number >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    let number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF;
    let number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF;
    ((number | number >> 16) & 0xFFFF_FFFF) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn position_is_in_one_quadrant_per_zoom_and_in_its_bounds(
            latitude in prop_oneof![-90.0..=90.0, Just(90.0), Just(-90.0), Just(85.06), Just(0.0)],
            longitude in prop_oneof![-180.0..=180.0, Just(180.0), Just(-180.0), Just(0.0)],
        ) {
            let position = Position { latitude, longitude };
            let mut quadrant = Quadrant::ROOT;
            loop {
                prop_assert!(quadrant.keys().contains(&key(position)));
                let Bounds { north, south, west, east } = quadrant.bounds();
                let is_within = (south..=north).contains(&latitude) && (west..=east).contains(&longitude);
                prop_assert!(is_within, "{quadrant:?}");
                let Some(children) = quadrant.children() else {
                    let key = key(position);
                    prop_assert_eq!(interleaved(gathered(key), gathered(key >> 1)), key);
                    break;
                };
                let of: Vec<Quadrant> =
                    children.into_iter().filter(|child| child.keys().contains(&key(position))).collect();
                prop_assert_eq!(of.len(), 1);
                quadrant = of[0];
            }
        }
    }
}
