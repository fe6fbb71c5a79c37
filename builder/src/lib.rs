//! What makes a data release: the sample from its source tables, an administrator's own files, and a
//! synthetic inventory.
//!
//! For the command line and the tests; no function knows it. Every module makes what [`dataset`] writes:
//! [`sample`] and [`import`] read sources, `model` derives who comes to places, [`synthesize`] makes spots
//! up, and `packing` puts the files of a release together. The same input gives the same bytes.

mod cohorts;
mod dates;
mod displays;
pub mod import;
pub mod model;
mod nearest;
mod packing;
mod random_stream;
pub mod rows;
pub mod sample;
mod synthesize;

pub use packing::{DERIVED_PARTS, PackError, write_folder};
pub use synthesize::{MOST_SPOTS, SynthesizeError, synthesize};
