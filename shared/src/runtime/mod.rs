//! What a process runs on: its configuration, clock, randomness, cache and log.
//!
//! Nothing here knows what the process is for: no request, no account, no table.

mod cache;
mod clock;
mod config;
mod connection;
mod environment;
mod logging;
mod random;
mod serve;

pub use cache::TtlCache;
pub use clock::Clock;
pub use config::{Config, ConfigError, INTERFACE_VERSION, Issuer, SelfSignUp, read_purchase_names};
pub use connection::Connection;
pub use environment::Environment;
pub use logging::{OWN_CRATES, init_logging, log_panics};
pub use random::Random;
pub use serve::serve;
