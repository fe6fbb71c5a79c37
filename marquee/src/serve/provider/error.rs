//! What keeps the process from signing tokens.

use ring::error::KeyRejected;

/// Why the local issuer cannot issue tokens.
#[derive(Debug, thiserror::Error)]
pub enum IssuerError {
    #[error("cannot make a signing key")]
    Generate,
    #[error("cannot make a signing key: {0}")]
    Load(KeyRejected),
    #[error("cannot publish a signing key: {0}")]
    Publish(#[source] serde_json::Error),
    #[error("cannot sign a token: {0}")]
    Sign(#[source] jsonwebtoken::errors::Error),
}
