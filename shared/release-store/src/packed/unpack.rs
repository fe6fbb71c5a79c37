//! Verifies and unpacks frames.

use ring::digest::{SHA256, digest};

use super::description::PackedPart;
use super::error::PackedFault;

/// Verifies the digest of a frame and unpacks the frame. `index` is the position of the frame in the part.
/// Returns an error if the digest differs or the unpacked length is wrong.
///
/// # Panics
///
/// Panics if the frame doesn't exist. If the part wasn't checked against its manifest, the function can also
/// panic because a frame is too large.
pub fn unpack(part: &PackedPart, index: usize, packed: &[u8]) -> Result<Vec<u8>, PackedFault> {
    let frame = &part.frames[index];
    if hex::encode(digest(&SHA256, packed)) != frame.sha256 {
        return Err(PackedFault::Digest { frame: index });
    }
    let expected = usize::try_from(frame.unpacked_bytes).expect("frames fit into memory");
    let refuse = |why| PackedFault::Unpacking { frame: index, expected: frame.unpacked_bytes, why };
    match zstd::bulk::decompress(packed, expected) {
        Ok(bytes) if bytes.len() == expected => Ok(bytes),
        Ok(bytes) => Err(refuse(format!("it unpacks to {}", bytes.len()))),
        Err(error) => Err(refuse(error.to_string())),
    }
}
