//! Marquee's reference data: so far the geographies that a market may be made of.
//!
//! This crate knows no network, no cloud and no async runtime.

mod geographies;
mod geography_id;

pub use geographies::Geographies;
pub use geography_id::{GeographyId, GeographyType, ParseGeographyIdError};
