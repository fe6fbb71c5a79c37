//! The service on one machine: the embedded engine, its data folder, and the local issuer of tokens.

mod credentials;
mod engine;
mod interrupts;
mod issuer;
mod logging;
mod map;
mod serve;

pub use credentials::LocalCredentials;
pub use engine::{Engine, TABLE_PREFIX};
pub use issuer::LocalIssuer;
pub use logging::init_logging;
pub use serve::{ServeOptions, serve};
