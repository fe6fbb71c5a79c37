//! A part's file becomes frames.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread;

use dataset::Part;
use ring::digest::{Context, SHA256, digest};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter::{ChainLog, HashLog, SearchLog, TargetLength};

use super::bounds::MAX_UNPACKED_BYTES;
use super::description::{Frame, PackedPart};

/// The first level that looks for repetitions of three bytes, such as the upper ones of neighbouring numbers:
/// an inventory packs 16 % better by them, and by all lower levels at most 5 %.
const LEVEL: i32 = 18;

/// A packed frame, and what is said of it.
struct PackedFrame {
    bytes: Vec<u8>,
    described: Frame,
}

/// Packs a part's file into a folder, under the name that the object is to have.
///
/// As many frames are packed at once, and held in memory, as the machine has processors.
///
/// # Errors
///
/// When the file cannot be read, or the folder not be written.
pub(crate) fn pack(part: Part, file: &Path, folder: &Path) -> io::Result<PackedPart> {
    let mut file = File::open(file)?;
    let unnamed = folder.join(part.file());
    let mut packed = BufWriter::new(File::create(&unnamed)?);
    let mut sum = Context::new(&SHA256);
    let (mut bytes, mut frames) = (0, Vec::new());
    loop {
        let unpacked = next_frames(&mut file)?;
        if unpacked.is_empty() {
            break;
        }
        for frame in pack_side_by_side(&unpacked)? {
            packed.write_all(&frame.bytes)?;
            sum.update(&frame.bytes);
            bytes += frame.described.packed_bytes;
            frames.push(frame.described);
        }
    }
    packed.into_inner()?;
    let object = PackedPart::object_name(part, &hex::encode(sum.finish()));
    fs::rename(unnamed, folder.join(&object))?;
    Ok(PackedPart { object, bytes, frames })
}

/// Reads a frame for each processor; fewer at the end of the file.
fn next_frames(file: &mut File) -> io::Result<Vec<Vec<u8>>> {
    let mut frames = Vec::new();
    for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
        let mut unpacked = Vec::new();
        if file.take(MAX_UNPACKED_BYTES).read_to_end(&mut unpacked)? == 0 {
            break;
        }
        frames.push(unpacked);
    }
    Ok(frames)
}

fn pack_side_by_side(frames: &[Vec<u8>]) -> io::Result<Vec<PackedFrame>> {
    thread::scope(|scope| {
        let packing: Vec<_> = frames.iter().map(|frame| scope.spawn(|| PackedFrame::of(frame))).collect();
        let join = |packing: thread::ScopedJoinHandle<'_, _>| match packing.join() {
            Ok(packed) => packed,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        packing.into_iter().map(join).collect()
    })
}

impl PackedFrame {
    fn of(unpacked: &[u8]) -> io::Result<Self> {
        let bytes = compressor()?.compress(unpacked)?;
        let described = Frame {
            packed_bytes: bytes.len() as u64,
            unpacked_bytes: unpacked.len() as u64,
            sha256: hex::encode(digest(&SHA256, &bytes)),
        };
        Ok(Self { bytes, described })
    }
}

/// Makes what packs a frame. It searches less than its level does by itself: that takes a fourth of the time,
/// and the frames are as short.
fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    for parameter in [SearchLog(2), TargetLength(16), ChainLog(17), HashLog(17)] {
        compressor.set_parameter(parameter)?;
    }
    Ok(compressor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_ascending_numbers_pack_better_than_by_the_usual_level() {
        let mut random = 1_u32;
        let numbers = (0..100_000).scan(0_u32, |number, _| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *number += random >> 23;
            Some(*number)
        });
        let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        let usual = Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL).expect("a level").compress(&bytes);
        let (packed, usual) = (PackedFrame::of(&bytes).expect("packed"), usual.expect("packed"));
        assert!(
            packed.bytes.len() * 10 < usual.len() * 9,
            "{} and {} bytes",
            packed.bytes.len(),
            usual.len()
        );
        assert_eq!(packed.described.packed_bytes, packed.bytes.len() as u64);
    }

    #[test]
    fn a_part_of_many_frames_is_packed_in_its_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = folder.path().join("part");
        let whole: Vec<u8> =
            (0..9 * MAX_UNPACKED_BYTES as usize + 5).map(|at| (at / 100_000) as u8).collect();
        fs::write(&part, &whole).expect("written");
        let packed = pack(Part::Places, &part, folder.path()).expect("packed");
        let object = fs::read(folder.path().join(&packed.object)).expect("the object");
        assert_eq!((packed.frames.len(), packed.bytes), (10, object.len() as u64));
        let (mut rest, mut unpacked) = (object.as_slice(), Vec::new());
        for (index, frame) in packed.frames.iter().enumerate() {
            let this = rest.split_off(..frame.packed_bytes as usize).expect("a frame");
            unpacked.extend(super::super::unpack(&packed, index, this).expect("unpacked"));
        }
        assert!(unpacked == whole);
    }
}
