//! What a process runs on: its clock, randomness, environment, cache and log.
//!
//! Nothing here knows what the process is for: no request, no account, no table.

mod cache;
mod clock;
mod environment;
mod logging;
mod random;

pub use cache::TtlCache;
pub use clock::Clock;
pub use environment::Environment;
pub use logging::{init_logging, log_panics};
pub use random::Random;
