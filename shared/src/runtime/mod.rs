//! What a process runs on: its configuration, its clock and its randomness.

mod clock;
mod config;
mod connection;
mod environment;
mod random;

pub use clock::Clock;
pub use config::{Config, INTERFACE_VERSION, Issuer};
pub use connection::Connection;
pub use environment::Environment;
pub use random::Random;
