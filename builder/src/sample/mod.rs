//! Builds the sample release from the source tables in `data`. For their sources, see data/SOURCES.md.

mod about;
mod airports;
mod build;
mod error;
mod every_member;
mod inventory;
mod measures;
pub mod places;
pub mod population;
mod table;

pub use build::{SAMPLE, build};
pub use error::{SampleError, SourceError};
