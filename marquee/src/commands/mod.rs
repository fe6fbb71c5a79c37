//! The operator's commands: what clap reads of each, and what it prints.

mod arguments;
mod cloud;
mod credits;
mod error;
mod key;
mod logging;
mod measurement;
mod on_target;
mod org;
pub mod release;
mod render;
mod target;

pub use credits::CreditsCommand;
pub use error::CommandError;
pub use key::KeyCommand;
pub use measurement::MeasurementCommand;
pub use on_target::OnTarget;
pub use org::OrgCommand;
pub use release::ReleaseCommand;
pub use target::{Searched, TargetError};
