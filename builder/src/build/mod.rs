//! Builds releases from the sources of an administrator.

mod about;
mod add;
mod error;
pub(crate) mod file_row;
mod notice;
mod rejects;

pub use about::About;
pub use add::{Import, add_inventory, add_measures, add_places};
pub use error::ImportError;
pub use notice::Notice;
pub use rejects::{MaxRejects, ParseMaxRejectsError, Rejects, RejectsError};
