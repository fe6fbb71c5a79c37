//! A stand-in of an AWS service on this machine.

use std::fmt;

/// Where a local stand-in of an AWS service listens, and as whom it is called.
#[derive(Clone, PartialEq, Eq)]
pub struct LocalEndpoint {
    /// Its address, such as `http://127.0.0.1:40123`.
    pub url: String,
    /// The access key id that requests carry. The local database engine takes it for a secret.
    pub access_key_id: String,
}

impl fmt::Debug for LocalEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalEndpoint").field("url", &self.url).finish_non_exhaustive()
    }
}
