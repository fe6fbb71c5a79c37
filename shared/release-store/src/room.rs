//! Whether a function has the room that a release takes: on its disk before it is fetched, and in its memory.

use std::io;
use std::path::{Path, PathBuf};

use dataset::{Manifest, Part};
use thiserror::Error;

/// What Lambda calls a megabyte.
const MEGABYTE: u64 = 1024 * 1024;

/// What a function takes besides the files that it maps, in megabytes: half of it for what is on its way.
const BESIDES_FILES_MB: u64 = 64;

/// What the manifest and the file system's own books take at most.
const BESIDES_PARTS_BYTES: u64 = 2 * MEGABYTE;

/// Room that a function lacks; all of it in megabytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Shortage {
    /// The disk has not the room for what is to be fetched.
    #[error(
        "the release needs {needed} MB and {folder} has {free} MB free; raise EphemeralStorage of the function",
        folder = folder.display()
    )]
    Disk {
        /// The folder that it is fetched into.
        folder: PathBuf,
        /// What it takes.
        needed: u64,
        /// What is left.
        free: u64,
    },
    /// The memory has not the room for what is mapped into it: files that do not stay there are read over and
    /// over.
    #[error(
        "the release's parts have {parts} MB and the function has {memory} MB of memory; raise MemorySize to at \
         least {}",
        parts + BESIDES_FILES_MB
    )]
    Memory {
        /// The files.
        parts: u64,
        /// The function's memory.
        memory: u64,
    },
}

/// Returns how much room is left on the disk of a folder, in bytes.
pub(crate) fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Refuses parts that the disk of a folder has no room for.
pub(super) fn check_disk(
    manifest: &Manifest,
    parts: &[Part],
    folder: &Path,
    free: u64,
) -> Result<(), Shortage> {
    let needed = bytes(manifest, parts) + BESIDES_PARTS_BYTES;
    if needed <= free {
        return Ok(());
    }
    // The one is rounded up and the other down: what is refused is never said to fit.
    Err(Shortage::Disk {
        folder: folder.to_owned(),
        needed: needed.div_ceil(MEGABYTE),
        free: free / MEGABYTE,
    })
}

/// Refuses parts that a function's memory has no room for; what is no function has what it needs.
pub(super) fn check_memory(
    manifest: &Manifest,
    parts: &[Part],
    memory_mb: Option<u64>,
) -> Result<(), Shortage> {
    let parts = bytes(manifest, parts).div_ceil(MEGABYTE);
    match memory_mb {
        Some(memory) if memory < parts + BESIDES_FILES_MB => Err(Shortage::Memory { parts, memory }),
        _ => Ok(()),
    }
}

/// Adds the lengths of parts up.
pub(super) fn bytes(manifest: &Manifest, parts: &[Part]) -> u64 {
    parts.iter().filter_map(|part| manifest.files.get(part)).map(|entry| entry.bytes).sum()
}
