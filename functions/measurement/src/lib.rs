//! Moves assets between states, as the measurement products say. No HTTP: a direct invocation or a FIFO
//! queue.
//!
//! `transition.rs` has the table of transitions, `effect.rs` what each event charges and refunds.

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
