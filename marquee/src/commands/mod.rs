//! The administrator commands, with their arguments and output.

mod arguments;
mod cloud;
mod credits;
mod error;
mod key;
mod measurement;
mod org;
mod release;
mod render;
mod target;

pub use credits::CreditsCommand;
pub use key::KeyCommand;
pub use measurement::MeasurementCommand;
pub use org::OrgCommand;
pub use release::{BuildWithRejects, BuiltWithNotices, ReleaseCommand};
pub use target::OnTarget;
