//! The main surface: routes with their products, the envelopes, the headers and the log line.

mod body;
mod caller;
mod encode;
mod envelope;
mod error;
mod frame;
mod gate;
mod receipt;
mod reply;
mod routes;

pub use body::JsonBody;
pub use caller::{Caller, ClientAddress};
pub use error::{ApiError, Code};
pub use frame::{init_logging, log_panics};
pub use reply::{NoContent, Pagination, Reply};
pub use routes::{Operation, Routes};
