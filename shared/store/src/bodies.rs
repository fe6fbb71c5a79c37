//! Compresses asset bodies. A small body is stored in the asset's main item, and a large body is split into
//! parts that are stored as separate items.

use thiserror::Error;

use super::error::StoreError;

/// The maximum size of an asset's body as escaped JSON, in bytes. A larger body could exceed Lambda's 6 MB
/// limit for responses.
pub const MAX_ESCAPED_BYTES: usize = 4 * 1024 * 1024;

/// The maximum size of an asset's compressed body, in bytes. A larger body wouldn't fit in one transaction.
pub const MAX_COMPRESSED_BYTES: usize = 3 * 1024 * 1024;

/// The maximum size of a compressed body that is stored in the asset's main item, in bytes. DynamoDB limits
/// an item to 400 KB, including all other attributes.
const MAX_INLINE_BYTES: usize = 350 * 1024;

/// The maximum size of a part that is stored as a separate item, in bytes.
const CHUNK_BYTES: usize = 380 * 1024;

const COMPRESSION_LEVEL: i32 = 3;

/// A compressed body.
#[derive(Debug)]
pub(super) struct Packed {
    /// The body's size as escaped JSON, in bytes.
    pub(super) escaped_bytes: usize,
    pub(super) compressed: Vec<u8>,
}

impl Packed {
    /// Iterates over the parts that are stored as separate items. There are none if the body fits in the
    /// asset's main item.
    pub(super) fn chunks(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let is_inline = self.compressed.len() <= MAX_INLINE_BYTES;
        if is_inline { [].chunks(CHUNK_BYTES) } else { self.compressed.chunks(CHUNK_BYTES) }
    }
}

/// The error for a body that exceeds a size limit. Contains the body's size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// The body's escaped JSON is too large.
    #[error(
        "the asset's JSON is {0} bytes long (quotes and backslashes count twice), which exceeds the limit of \
         {MAX_ESCAPED_BYTES}; shorten its strings or split the asset"
    )]
    Escaped(usize),
    /// The compressed body is too large.
    #[error(
        "the asset is {0} bytes long after compression, which exceeds the limit of {MAX_COMPRESSED_BYTES}; \
         shorten its strings or split the asset"
    )]
    Compressed(usize),
}

/// Returns the size of a JSON document when it's embedded as a string in another JSON document, such as a
/// Lambda response.
pub fn escaped_len(json: &[u8]) -> usize {
    json.len() + json.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// Compresses a body. Returns an error if the body exceeds [`MAX_ESCAPED_BYTES`] or, after compression,
/// [`MAX_COMPRESSED_BYTES`].
pub(super) fn pack(json: &[u8]) -> Result<Packed, TooLarge> {
    let escaped_bytes = escaped_len(json);
    if escaped_bytes > MAX_ESCAPED_BYTES {
        return Err(TooLarge::Escaped(escaped_bytes));
    }
    let compressed = zstd::bulk::compress(json, COMPRESSION_LEVEL).expect("compressing in memory succeeds");
    if compressed.len() > MAX_COMPRESSED_BYTES {
        return Err(TooLarge::Compressed(compressed.len()));
    }
    Ok(Packed { escaped_bytes, compressed })
}

/// Decompresses a body or a report. `attribute` is the name of the attribute that contains the data, for use
/// in the error.
pub(super) fn unpack(attribute: &'static str, compressed: &[u8]) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::decompress(compressed, MAX_ESCAPED_BYTES).map_err(|_| StoreError::Corrupt(attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns incompressible bytes without quotes or backslashes, which JSON escapes.
    fn noise(bytes: usize) -> Vec<u8> {
        let random = runtime::Random::seeded(1);
        let byte = || match random.below(256) as u8 {
            b'"' | b'\\' => b' ',
            byte => byte,
        };
        std::iter::repeat_with(byte).take(bytes).collect()
    }

    #[test]
    fn compressed_bodies_are_accepted_up_to_the_limit() {
        let noise = noise(MAX_COMPRESSED_BYTES);
        let size = |packed: Packed| packed.chunks().map(<[u8]>::len).sum();
        // Incompressible data grows by a few bytes per block, so the largest body is slightly below the
        // limit.
        let packed = |bytes: usize| pack(&noise[..bytes]);
        let last = (0..1_000).map(|less| MAX_COMPRESSED_BYTES - less).find(|bytes| packed(*bytes).is_ok());
        let last = last.expect("a slightly shorter body fits");
        assert_eq!(packed(last).map(size).ok(), Some(MAX_COMPRESSED_BYTES));
        assert!(
            matches!(packed(last + 1), Err(TooLarge::Compressed(bytes)) if bytes == MAX_COMPRESSED_BYTES + 1)
        );
    }
}
