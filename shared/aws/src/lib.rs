//! How AWS is reached: the SDK's settings and its TLS, for whoever calls AWS.
//!
//! Nothing here knows a service, nor what is kept in one.

mod https;
mod local_endpoint;
mod sdk;
mod tls;

pub use https::{https_client, https_connector};
pub use local_endpoint::LocalEndpoint;
pub use sdk::sdk_config;
