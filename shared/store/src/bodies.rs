//! Asset bodies as they are stored: compressed, in the head or in parts beside it.

use thiserror::Error;

use super::error::StoreError;

/// The most bytes that an asset's body has as escaped JSON, so that its own response always fits into
/// Lambda's 6 MB.
pub const MAX_ESCAPED_BYTES: usize = 4 * 1024 * 1024;

/// The most bytes that an asset's body has compressed, so that one transaction holds it.
pub const MAX_COMPRESSED_BYTES: usize = 3 * 1024 * 1024;

/// The most compressed bytes that lie in the head itself. Items end at 400 KB; the head has other attributes.
const MAX_INLINE_BYTES: usize = 350 * 1024;

/// The bytes of one part beside the head.
const CHUNK_BYTES: usize = 380 * 1024;

const COMPRESSION_LEVEL: i32 = 3;

/// A body ready to be stored.
#[derive(Debug)]
pub(super) struct Packed {
    /// Its size as escaped JSON.
    pub(super) escaped_bytes: usize,
    pub(super) compressed: Vec<u8>,
}

impl Packed {
    /// Returns the parts beside the head; none where the head has all.
    pub(super) fn chunks(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let is_inline = self.compressed.len() <= MAX_INLINE_BYTES;
        if is_inline { [].chunks(CHUNK_BYTES) } else { self.compressed.chunks(CHUNK_BYTES) }
    }
}

/// A body that passes a limit, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// As escaped JSON.
    #[error(
        "the asset has {0} bytes of JSON (quotes and backslashes count twice), over the limit of \
         {MAX_ESCAPED_BYTES}; shorten its texts or split it"
    )]
    Escaped(usize),
    /// Compressed.
    #[error(
        "the asset has {0} bytes after compression, over the limit of {MAX_COMPRESSED_BYTES}; shorten its \
         texts or split it"
    )]
    Compressed(usize),
}

/// Returns the bytes of JSON once it is a text inside another JSON document, as in a Lambda response.
pub fn escaped_len(json: &[u8]) -> usize {
    json.len() + json.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// Compresses a body.
pub(super) fn pack(json: &[u8]) -> Result<Packed, TooLarge> {
    let escaped_bytes = escaped_len(json);
    if escaped_bytes > MAX_ESCAPED_BYTES {
        return Err(TooLarge::Escaped(escaped_bytes));
    }
    let compressed = zstd::bulk::compress(json, COMPRESSION_LEVEL).expect("memory is compressed into memory");
    if compressed.len() > MAX_COMPRESSED_BYTES {
        return Err(TooLarge::Compressed(compressed.len()));
    }
    Ok(Packed { escaped_bytes, compressed })
}

/// Restores a body.
pub(super) fn unpack(compressed: &[u8]) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::decompress(compressed, MAX_ESCAPED_BYTES).map_err(|_| StoreError::Corrupt("body"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns so many bytes that do not compress, without any that JSON escapes.
    fn noise(bytes: usize) -> Vec<u8> {
        let random = runtime::Random::seeded(1);
        let byte = || match random.below(256) as u8 {
            b'"' | b'\\' => b' ',
            byte => byte,
        };
        std::iter::repeat_with(byte).take(bytes).collect()
    }

    #[test]
    fn a_body_may_take_the_most_compressed_bytes_and_not_one_more() {
        let noise = noise(MAX_COMPRESSED_BYTES);
        let size = |packed: Packed| packed.chunks().map(<[u8]>::len).sum();
        // What does not compress grows by a few bytes in each block: the bound is met a little below it.
        let packed = |bytes: usize| pack(&noise[..bytes]);
        let last = (0..1_000).map(|less| MAX_COMPRESSED_BYTES - less).find(|bytes| packed(*bytes).is_ok());
        let last = last.expect("a body that fits");
        assert_eq!(packed(last).map(size).ok(), Some(MAX_COMPRESSED_BYTES));
        assert!(
            matches!(packed(last + 1), Err(TooLarge::Compressed(bytes)) if bytes == MAX_COMPRESSED_BYTES + 1)
        );
    }
}
