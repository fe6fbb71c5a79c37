//! Access to AWS: the SDK configuration, the HTTP client and its TLS settings, and signatures for Marquee's
//! own requests.
//!
//! This crate doesn't depend on any particular AWS service.

mod https;
mod local_endpoint;
mod sdk;
mod signer;
mod tls;

pub use https::{CONNECT_TIMEOUT, https_client, https_connector};
pub use local_endpoint::LocalEndpoint;
pub use sdk::sdk_config;
pub use signer::{Signer, SigningError};
pub use tls::tls_config;
