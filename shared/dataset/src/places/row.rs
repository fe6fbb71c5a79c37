//! A place as the file holds it.

use zerocopy::little_endian::{F64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::geographies::GeographyIndex;

/// Stands for no geography.
pub(super) const NONE: u32 = u32::MAX;

/// Texts by their numbers, geographies by their positions.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct PlaceRow {
    pub(super) id: U64,
    pub(super) latitude: F64,
    pub(super) longitude: F64,
    pub(super) name: U32,
    pub(super) brand: U32,
    pub(super) place_type: U32,
    pub(super) place_type_id: U32,
    pub(super) street_address: U32,
    pub(super) city: U32,
    pub(super) state: U32,
    pub(super) zip_code: U32,
    pub(super) published_date: U32,
    pub(super) county: U32,
    pub(super) cbsa: U32,
    pub(super) dma: U32,
    pub(super) zip: U32,
}

impl PlaceRow {
    pub(super) fn texts(&self) -> [U32; 8] {
        let Self { name, brand, place_type, street_address, city, state, zip_code, published_date, .. } =
            *self;
        [name, brand, place_type, street_address, city, state, zip_code, published_date]
    }

    pub(super) fn geographies(&self) -> [U32; 4] {
        [self.county, self.cbsa, self.dma, self.zip]
    }
}

pub(super) fn geography(position: U32) -> Option<GeographyIndex> {
    (position.get() != NONE).then(|| GeographyIndex::from_raw(position.get()))
}
