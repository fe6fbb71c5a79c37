//! Applies measurement events to assets. Events arrive through a FIFO queue or by direct invocation, not over
//! HTTP.
//!
//! `transition.rs` lists the allowed transitions. `effect.rs` determines the charge or refund for each event.

mod app;
mod apply;
mod effect;
mod event;
mod handle;
mod refusal;
mod transition;

pub use app::{App, ConfigError, read_purchase_names};
pub use apply::{ApplyError, Outcome, apply, is_applied};
pub use event::{EventType, MeasurementEvent, PurchaseOrder};
pub use handle::handle;
pub use refusal::EventRefusal;
