//! Records changes to organizations' data and sends them to webhooks. The functions aren't called over HTTP:
//! changes arrive through the tables' streams, and delivery messages through a queue.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

mod address;
mod delivery;
mod message;
mod queue;
mod record;
mod sender;
mod signature;

pub use delivery::{Deliverer, Later, RETRY_SECONDS};
pub use message::DeliveryMessage;
pub use queue::Queue;
pub use record::{StreamBatch, record};
pub use sender::{Destinations, Lookup, SendError, Sender};
