//! SHA-256 digests, which name and verify stored data.

use ring::digest::{SHA256, digest};

/// Returns the SHA-256 digest in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
