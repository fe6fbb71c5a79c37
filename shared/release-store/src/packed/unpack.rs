//! A frame becomes bytes of a part again.

use ring::digest::{SHA256, digest};

use super::description::PackedPart;
use super::error::PackedFault;

/// Unpacks a frame of a part, by its number. It is held to its digest first.
///
/// # Errors
///
/// When the digest differs, or the frame does not unpack to the bytes that are said.
///
/// # Panics
///
/// When there is no such frame, or the part was not held to its manifest.
pub fn unpack(part: &PackedPart, index: usize, packed: &[u8]) -> Result<Vec<u8>, PackedFault> {
    let frame = &part.frames[index];
    if hex::encode(digest(&SHA256, packed)) != frame.sha256 {
        return Err(PackedFault::Digest { frame: index });
    }
    let expected = usize::try_from(frame.unpacked_bytes).expect("a frame is small");
    let refuse = |why| PackedFault::Unpacking { frame: index, expected: frame.unpacked_bytes, why };
    match zstd::bulk::decompress(packed, expected) {
        Ok(bytes) if bytes.len() == expected => Ok(bytes),
        Ok(bytes) => Err(refuse(format!("it unpacks to {}", bytes.len()))),
        Err(error) => Err(refuse(error.to_string())),
    }
}
