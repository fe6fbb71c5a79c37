//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
mod calibration;
mod error;
mod formats;
mod measures;
pub mod places;
pub mod population;
mod table;
mod visits;

pub(crate) use about::{provenance, sources};
pub use calibration::{Fit, calibration};
pub use error::{SampleError, SourceError};
pub(crate) use visits::write_places_and_visits;
