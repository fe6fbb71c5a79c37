//! Moves assets between states, as the measurement products say. No HTTP: a direct invocation or a FIFO queue.

mod apply;
mod event;
mod handle;

pub use apply::{Outcome, apply};
pub use event::{Event, EventType, PurchaseOrder};
pub use handle::handle;
