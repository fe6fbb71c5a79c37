//! The service on one machine: the embedded engine, its data folder, and the local issuer of tokens.

mod credentials;
mod engine;
mod issuer;
mod serve;

pub use credentials::LocalCredentials;
pub use engine::{Engine, TABLE_PREFIX};
pub use issuer::LocalIssuer;
pub use serve::{ServeOptions, serve};
