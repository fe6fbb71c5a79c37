//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
mod error;
mod measures;
pub mod places;
pub mod population;
mod table;
mod visits;

pub(crate) use about::{provenance, sources};
pub use error::{SampleError, SourceError};
pub(crate) use visits::write_places_and_visits;
