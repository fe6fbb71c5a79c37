//! What makes a data release: the sample from its source tables, an operator's own files, the model of visits, and a
//! synthetic inventory of any size. For the command line and the tests; no function knows it.

pub mod build;
pub mod import;
mod model;
mod nearest;
mod synthesize;

pub use synthesize::{MOST_SPOTS, synthesize};
