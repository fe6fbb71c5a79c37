//! The stored form of a geography.

use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::geography::{Geography, GeographyIndex};
use super::id::{GeographyId, GeographyType};
use crate::position::Position;

/// The stored value if a row has no state, county, metropolitan or micropolitan area, or market.
const NO_PARENT: u32 = u32::MAX;

/// The stored value for an unknown latitude or longitude.
const NO_DEGREES: i32 = i32::MIN;

/// The number of stored units per degree. A unit is about one meter.
const PER_DEGREE: f64 = 100_000.0;

/// A stored geography. The name is in a separate section.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct GeographyRow {
    /// The type, as a position in [`GeographyType::ALL`].
    geography_type: u8,
    reserved: [u8; 3],
    code: U32,
    population: U32,
    households: U32,
    latitude: I32,
    longitude: I32,
    state: U32,
    county: U32,
    cbsa: U32,
    dma: U32,
}

impl GeographyRow {
    /// Returns the sort key, which consists of the type and the code.
    pub(super) fn key(&self) -> (u8, u32) {
        (self.geography_type, self.code.get())
    }

    pub(super) fn named<'a>(&self, name: &'a str) -> Geography<'a> {
        let geography_type = GeographyType::ALL[usize::from(self.geography_type)];
        Geography {
            id: GeographyId::new(geography_type, self.code.get()),
            name,
            population: self.population.get(),
            households: self.households.get(),
            position: self.position(),
            state: parent(self.state),
            county: parent(self.county),
            cbsa: parent(self.cbsa),
            dma: parent(self.dma),
        }
    }

    fn position(&self) -> Option<Position> {
        let degrees = |value: I32| (value.get() != NO_DEGREES).then(|| f64::from(value.get()) / PER_DEGREE);
        Some(Position { latitude: degrees(self.latitude)?, longitude: degrees(self.longitude)? })
    }
}

impl From<&Geography<'_>> for GeographyRow {
    fn from(geography: &Geography<'_>) -> Self {
        let raw = |parent: Option<GeographyIndex>| U32::new(parent.map_or(NO_PARENT, GeographyIndex::raw));
        #[expect(clippy::cast_possible_truncation, reason = "180 degrees are 18 million units")]
        let units = |degrees: f64| I32::new((degrees * PER_DEGREE).round() as i32);
        let position = geography.position;
        Self {
            geography_type: geography.id.geography_type() as u8,
            reserved: [0; 3],
            code: U32::new(geography.id.code()),
            population: U32::new(geography.population),
            households: U32::new(geography.households),
            latitude: position.map_or(I32::new(NO_DEGREES), |position| units(position.latitude)),
            longitude: position.map_or(I32::new(NO_DEGREES), |position| units(position.longitude)),
            state: raw(geography.state),
            county: raw(geography.county),
            cbsa: raw(geography.cbsa),
            dma: raw(geography.dma),
        }
    }
}

fn parent(raw: U32) -> Option<GeographyIndex> {
    (raw.get() != NO_PARENT).then(|| GeographyIndex::from_raw(raw.get()))
}
