//! How AWS is reached: the SDK's settings and its TLS, for whoever calls AWS.
//!
//! Nothing here knows a service, nor what is kept in one.

mod sdk;
mod tls;

pub use sdk::sdk_config;
pub use tls::{https_client, https_connector};
