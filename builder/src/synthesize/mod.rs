//! Makes up an inventory, as large as is wanted, to see how everything behaves at scale. Nothing of it
//! exists.
//!
//! It follows from the base release, the number of spots and the seed only. The first spots of a large
//! inventory are those of a small one with the same seed.

mod error;
mod release;
mod spots;
mod zips;

pub use error::SynthesizeError;
pub use release::{MOST_SPOTS, synthesize};
