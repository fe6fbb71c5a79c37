//! Derives IDs from names, so that a name has the same ID in every release.

use std::ops::Range;

use ring::digest::{Context, SHA256};

/// Derives a number in `range` from the SHA-256 digest of `texts`. The strings must not contain line feeds,
/// which separate them in the digest's input. The range must not be empty.
pub fn derived_id(texts: &[&str], range: Range<u64>) -> u64 {
    let mut context = Context::new(&SHA256);
    for text in texts {
        context.update(text.as_bytes());
        context.update(b"\n");
    }
    let sum = context.finish();
    let first = sum.as_ref().first_chunk().expect("a SHA-256 digest has 32 bytes");
    range.start + u64::from_be_bytes(*first) % (range.end - range.start)
}
