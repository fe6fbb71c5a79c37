//! Measurements that this service sells: their purchase, their steps, and their reports.
//!
//! `purchase.rs` applies the `purchased` event with the measurement function's code. `steps.rs` determines
//! when a step is due. `sweep.rs` stores the reports, and returns the events for due steps, which the
//! measurement function applies. This folder doesn't change an asset's state in any other way.

mod purchase;
mod queue;
mod report;
mod steps;
mod sweep;

pub use purchase::OwnMeasurement;
pub use queue::Queue;
pub use sweep::{Sweep, SweptPage, SweptPages};

pub(crate) use purchase::{purchase, status};
