//! Generates a fictitious inventory of a given size, for scale tests.
//!
//! The inventory depends only on the base release, the number of spots, and the seed. Inventories with the
//! same seed start with the same spots, even if they have different sizes.

mod error;
mod release;
mod spots;
mod zips;

pub use error::SynthesizeError;
pub use release::{MAX_SPOTS, synthesize};
