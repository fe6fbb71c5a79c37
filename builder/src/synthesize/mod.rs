//! Generates a fictitious inventory of any size for scale tests.
//!
//! The inventory depends only on the base release, the number of spots, and the seed. Inventories with the
//! same seed start with the same spots, regardless of their size.

mod error;
mod release;
mod spots;
mod zips;

pub use error::SynthesizeError;
pub use release::{MOST_SPOTS, synthesize};
