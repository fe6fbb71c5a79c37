//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
pub mod base_map;
mod calibration;
mod error;
mod formats;
mod measures;
pub mod places;
pub mod population;
mod sizes;
mod table;
mod visits;

pub(crate) use about::{provenance, sources};
pub use calibration::{Fit, calibration};
pub use error::{SampleError, SourceError};
pub(crate) use visits::write_places_and_visits;

/// Returns a place with empty properties, for tests.
#[cfg(test)]
fn test_place() -> dataset::Place<'static> {
    dataset::Place {
        id: dataset::PlaceId::from_raw(1),
        name: "",
        brand: None,
        place_type_id: 0,
        place_type: "",
        street_address: "",
        city: "",
        state: "",
        zip_code: "",
        latitude: 40.0,
        longitude: -100.0,
        published_date: "",
        register_id: "",
        county: None,
        cbsa: None,
        dma: None,
        zip: None,
    }
}
