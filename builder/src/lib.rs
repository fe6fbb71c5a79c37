//! Builds data releases from lists of sources and generates releases with a synthetic inventory.
//!
//! Only the CLI and tests use this crate. [`build`] reads the sources of a release and writes its parts:
//! [`rows`] splits files into rows, [`columns`] maps their columns, and [`displays`], [`places`], and
//! [`measures`] convert rows to records. [`sample`] builds the public sample, and `model` estimates visits to
//! places. [`diff`] compares releases, and `synthesize` generates spots. The same input always produces the
//! same bytes.

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
