//! Makes an inventory up, as large as is wanted, to see how everything behaves at scale. Nothing of it
//! exists.
//!
//! It follows from the base release, the number of spots and the seed alone. The first spots of a large
//! inventory are those of a small one with the same seed.

mod error;
mod locations;
mod markets;
mod operators;
mod release;
mod roads;
mod spots;

pub use error::SynthesizeError;
pub use release::{MOST_SPOTS, synthesize, synthesize_each};
