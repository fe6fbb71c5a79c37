//! SHA-256, which the service uses to name and verify stored data.

use ring::digest::{SHA256, digest};

/// Returns the SHA-256 digest of bytes as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
