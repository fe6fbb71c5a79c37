//! The test harness: the real routers on the real engine, a clock that stands still, a wire that can be broken, and a
//! contract that every response is held to.

mod answer;
mod contract;
pub mod costs;
mod logs;
pub mod runtime_api;
pub mod samples;
mod wire;
mod world;

pub use answer::Answer;
pub use contract::{Contract, DocumentedOperation};
pub use logs::Logs;
pub use wire::{Fault, Sent, Wire};
pub use world::{Call, TestOrg, World, WorldOptions};
