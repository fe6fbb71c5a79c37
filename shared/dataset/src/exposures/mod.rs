//! The display data that's needed to estimate the reach of a campaign.
//!
//! Each display takes at most 16 bytes, plus 8 bytes for its position on the map. The estimates function can
//! therefore run without opening the much larger inventory.

mod display;
mod environment;
mod table;

pub use display::{DisplayExposure, Impressions, Persons, ShareOfVoice};
pub use environment::Environment;
pub(crate) use table::to_file;
pub use table::{Exposures, write};
