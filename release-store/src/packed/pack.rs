//! A part's file becomes frames.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use dataset::Part;
use ring::digest::{Context, SHA256, digest};

use super::description::{Frame, PackedPart};

/// The bytes of a file that become one frame. The 8 MiB that a frame may have would pack at most 1 % better,
/// and take four times the memory of a start.
const FRAME_BYTES: u64 = 2 * 1024 * 1024;

/// What a higher level would save of the network, it would cost of the operator's patience.
const LEVEL: i32 = 3;

/// Packs a part's file into a folder, under the name that the object is to have.
///
/// It holds one frame in memory.
///
/// # Errors
///
/// When the file cannot be read, or the folder not be written.
pub(crate) fn pack(part: Part, file: &Path, folder: &Path) -> io::Result<PackedPart> {
    let mut file = File::open(file)?;
    let unnamed = folder.join(part.file());
    let mut packed = BufWriter::new(File::create(&unnamed)?);
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    let mut sum = Context::new(&SHA256);
    let (mut bytes, mut frames) = (0, Vec::new());
    let mut unpacked = Vec::new();
    loop {
        unpacked.clear();
        if Read::by_ref(&mut file).take(FRAME_BYTES).read_to_end(&mut unpacked)? == 0 {
            break;
        }
        let frame = compressor.compress(&unpacked)?;
        packed.write_all(&frame)?;
        sum.update(&frame);
        bytes += frame.len() as u64;
        frames.push(Frame {
            packed_bytes: frame.len() as u64,
            unpacked_bytes: unpacked.len() as u64,
            sha256: hex::encode(digest(&SHA256, &frame)),
        });
    }
    packed.into_inner()?;
    let object = PackedPart::object_name(part, &hex::encode(sum.finish()));
    fs::rename(unnamed, folder.join(&object))?;
    Ok(PackedPart { object, bytes, frames })
}
