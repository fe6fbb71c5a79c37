//! Measurements that this service sells: their purchase, their steps, and their reports.
//!
//! `steps.rs` determines when a step is due. `sweep.rs` computes the reports and returns the events of due
//! steps. The measurement function applies the events, so all changes to an asset's state are made there.

mod purchase;
mod queue;
mod report;
mod steps;
mod sweep;

pub use purchase::OwnMeasurement;
pub use queue::Queue;
pub use sweep::{Sweep, SweptPage, SweptPages};

pub(crate) use purchase::{purchase, status};
