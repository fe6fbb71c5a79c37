//! What the command line does.

mod credits;
mod key;
mod measurement;
mod operator;
mod org;
mod place;
pub mod release;
mod render;
mod run;

pub use operator::{NewOrg, Operator};
pub use run::Command;
