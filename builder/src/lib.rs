//! Builds data releases: the sample release from its source tables, releases with an administrator's own
//! data, and releases with a synthetic inventory.
//!
//! Only the CLI and tests use this crate. [`sample`] and [`import`] read source data, `model` derives visits
//! to places, [`synthesize`] generates spots, and `packing` assembles the files of a release, which
//! [`dataset`] writes. The same input always produces the same bytes.

pub mod build;
mod cohorts;
pub mod columns;
mod dates;
pub mod diff;
pub mod displays;
pub mod location;
pub mod measures;
pub mod model;
mod packing;
pub mod places;
mod random_stream;
pub mod rows;
pub mod sample;
mod synthesize;

pub use packing::{DERIVED_PARTS, LATEST, PackError};
pub use synthesize::{MAX_SPOTS, SynthesizeError, synthesize};
