//! A local stand-in for an AWS service.

use std::fmt;

/// The URL and credentials of a local stand-in for an AWS service.
#[derive(Clone, PartialEq, Eq)]
pub struct LocalEndpoint {
    /// The URL, such as `http://127.0.0.1:40123`.
    pub url: String,
    /// The access key ID to send with each request. Debug output omits it, because a stand-in can treat it as
    /// a secret.
    pub access_key_id: String,
}

impl LocalEndpoint {
    /// Creates the endpoint for a stand-in that accepts any credentials.
    pub fn at(url: String) -> Self {
        Self { url, access_key_id: "local".to_owned() }
    }
}

impl fmt::Debug for LocalEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalEndpoint").field("url", &self.url).finish_non_exhaustive()
    }
}
