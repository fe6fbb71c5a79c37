//! Frames become bytes of a part again.

use std::ops::Range;

use ring::digest::{SHA256, digest};
use zstd::bulk::Decompressor;

use super::description::{Frame, PackedPart};
use super::error::PackedFault;

/// Unpacks frames of a part, of which the packed bytes lie one behind the other. Each is held to its digest
/// first.
///
/// # Errors
///
/// The first frame whose digest differs, or which does not unpack to the bytes that are said.
///
/// # Panics
///
/// When the packed bytes are fewer than the frames' together, or the part was not held to its manifest.
pub fn unpack(part: &PackedPart, frames: Range<usize>, packed: &[u8]) -> Result<Vec<u8>, PackedFault> {
    let bytes = |frame: &Frame| usize::try_from(frame.unpacked_bytes).expect("a frame is small");
    let mut unpacked = vec![0; part.frames[frames.clone()].iter().map(bytes).sum()];
    let (mut from, mut to) = (packed, unpacked.as_mut_slice());
    let mut decompressor = Decompressor::default();
    for (index, frame) in part.frames.iter().enumerate().take(frames.end).skip(frames.start) {
        let (this, rest) = from.split_at(usize::try_from(frame.packed_bytes).expect("a frame is small"));
        from = rest;
        if hex::encode(digest(&SHA256, this)) != frame.sha256 {
            return Err(PackedFault::Digest { frame: index });
        }
        let (place, rest) = to.split_at_mut(bytes(frame));
        to = rest;
        let refuse = |why| PackedFault::Unpacking { frame: index, expected: frame.unpacked_bytes, why };
        match decompressor.decompress_to_buffer(this, place) {
            Ok(found) if found == place.len() => {}
            Ok(found) => return Err(refuse(format!("it unpacks to {found}"))),
            Err(error) => return Err(refuse(error.to_string())),
        }
    }
    Ok(unpacked)
}
