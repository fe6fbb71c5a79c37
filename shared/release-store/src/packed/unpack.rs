//! Verifies and unpacks frames.

use ring::digest::{SHA256, digest};

use super::description::PackedPart;
use super::error::PackedFault;

/// Verifies a frame's digest and unpacks the frame. `index` is the frame's position in the part. Returns an
/// error if the digest differs or the unpacked length is wrong.
///
/// # Panics
///
/// Panics if the frame doesn't exist, or if `part` wasn't checked against its manifest and the frame is too
/// large.
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
