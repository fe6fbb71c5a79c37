use fixedbitset::FixedBitSet;
use zerocopy::little_endian::F64;

use super::{Circle, Rectangle};
use crate::file::{FileWriter, Rows, SectionFile};
use crate::globe::{km_between, point};
use crate::{Position, ReleaseError};

/// Where the spots are.
#[derive(Clone, Debug)]
pub(super) struct Points {
    latitudes: Rows<F64>,
    longitudes: Rows<F64>,
}

impl Points {
    pub(super) fn open(file: &SectionFile) -> Result<Self, ReleaseError> {
        Ok(Self { latitudes: file.rows("points.latitudes")?, longitudes: file.rows("points.longitudes")? })
    }

    pub(super) fn write(file: &mut FileWriter, positions: &[Position]) {
        let degrees = |of: fn(&Position) -> f64| positions.iter().map(of).map(F64::new).collect::<Vec<F64>>();
        file.rows("points.latitudes", &degrees(|position| position.latitude));
        file.rows("points.longitudes", &degrees(|position| position.longitude));
    }

    pub(super) fn len(&self) -> usize {
        self.latitudes.len()
    }

    pub(super) fn position(&self, spot: u32) -> Position {
        let spot = spot as usize;
        Position { latitude: self.latitudes[spot].get(), longitude: self.longitudes[spot].get() }
    }

    pub(super) fn within_circle(&self, circle: &Circle) -> FixedBitSet {
        let center = point(circle.center);
        self.those(|position| km_between(center, point(position)) <= circle.km)
    }

    pub(super) fn within_rectangle(&self, rectangle: &Rectangle) -> FixedBitSet {
        let Rectangle { north, south, west, east } = *rectangle;
        self.those(|Position { latitude, longitude }| {
            let is_between =
                if west <= east { (west..=east).contains(&longitude) } else { longitude >= west || longitude <= east };
            (south..=north).contains(&latitude) && is_between
        })
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let is_whole = self.latitudes.len() == self.longitudes.len();
        if is_whole { Ok(()) } else { Err("points: a longitude is missing".to_owned()) }
    }

    fn those(&self, holds: impl Fn(Position) -> bool) -> FixedBitSet {
        let mut spots = FixedBitSet::with_capacity(self.len());
        let all = 0..super::count(self.len());
        all.filter(|spot| holds(self.position(*spot))).for_each(|spot| spots.insert(spot as usize));
        spots
    }
}
