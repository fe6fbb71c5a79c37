//! The stored form of a place.

use zerocopy::little_endian::{F64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::geographies::GeographyIndex;

/// The stored value for an unknown geography.
pub(super) const NONE: u32 = u32::MAX;

/// A place as stored in the file. Strings are stored as indexes into a separate section, and geographies as
/// indexes into the table of geographies.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct PlaceRow {
    pub(super) id: U64,
    pub(super) latitude: F64,
    pub(super) longitude: F64,
    pub(super) place_type_id: U32,
    /// The numbers of these strings: name, brand, type, street address, city, state, ZIP code, publication
    /// date, and register ID.
    pub(super) texts: [U32; 9],
    /// The positions of these geographies: county, metropolitan or micropolitan area, television market, and
    /// ZIP code.
    pub(super) geographies: [U32; 4],
}

pub(super) fn geography(position: U32) -> Option<GeographyIndex> {
    (position.get() != NONE).then(|| GeographyIndex::from_raw(position.get()))
}
