//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
mod base;
mod error;
mod measures;
pub mod places;
pub mod population;
mod table;

pub(crate) use about::{provenance, sources};
pub(crate) use base::write_base;
pub use error::{SampleError, SourceError};
