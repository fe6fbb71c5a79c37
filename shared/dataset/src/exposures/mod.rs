//! The data of each display from which the reach of a campaign is estimated.
//!
//! A display takes at most 16 bytes, and 8 more for its position on a map. A function that only estimates
//! therefore doesn't have to open the inventory.

mod display;
mod environment;
mod table;

pub use display::{DisplayExposure, Impressions, Persons, ShareOfVoice};
pub use environment::Environment;
pub(crate) use table::to_file;
pub use table::{Exposures, write};
