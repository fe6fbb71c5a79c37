//! Applies measurement events to assets. Events arrive by direct invocation or in a FIFO queue, not over
//! HTTP.
//!
//! `transition.rs` contains the allowed transitions. `effect.rs` contains the charge and refund of each
//! event.

mod app;
mod apply;
mod effect;
mod event;
mod handle;
mod refusal;
mod transition;

pub use app::{App, ConfigError, read_purchase_names};
pub use apply::{ApplyError, Outcome, apply};
pub use event::{EventType, MeasurementEvent, PurchaseOrder};
pub use handle::handle;
pub use refusal::EventRefusal;
