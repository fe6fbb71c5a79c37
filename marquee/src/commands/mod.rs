//! What the command line does.

mod operator;
mod place;
mod render;
mod run;

pub use operator::{NewOrg, Operator};
pub use run::Command;
