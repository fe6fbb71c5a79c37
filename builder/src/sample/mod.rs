//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
mod base;
mod calibration;
mod error;
mod formats;
mod measures;
pub mod places;
pub mod population;
mod table;

pub(crate) use about::{provenance, sources};
pub(crate) use base::write_base;
pub use calibration::{Fit, calibration};
pub use error::{SampleError, SourceError};
