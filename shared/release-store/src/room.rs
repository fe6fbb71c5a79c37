//! Checks that a release fits in a function's memory and, before it's fetched, on the disk.

use std::io;
use std::path::{Path, PathBuf};

use dataset::{Manifest, Part};
use thiserror::Error;

/// The number of bytes in a megabyte, as Lambda defines it.
const MEGABYTE: u64 = 1024 * 1024;

/// The memory that a function needs beyond its mapped files, in megabytes. Frames in flight use about three
/// quarters of it.
const OVERHEAD_MB: u64 = 64;

/// The disk space for the manifest and the file system's metadata, in bytes.
const OVERHEAD_BYTES: u64 = 2 * MEGABYTE;

/// The error returned when a release doesn't fit. All sizes are in megabytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Shortage {
    /// The parts don't fit on the disk.
    #[error(
        "the release requires {needed} MB, but {folder} has {free} MB free; increase the function's \
         EphemeralStorage",
        folder = folder.display()
    )]
    Disk {
        /// The folder to fetch the parts into.
        folder: PathBuf,
        /// The required disk space.
        needed: u64,
        /// The free disk space.
        free: u64,
    },
    /// The mapped parts don't fit in memory. The operating system would repeatedly evict parts of them and
    /// read them from disk again.
    #[error(
        "the release's parts require {parts} MB, but the function has {memory} MB of memory; increase \
         MemorySize to at least {}",
        parts + OVERHEAD_MB
    )]
    Memory {
        /// The parts' total size.
        parts: u64,
        /// The function's memory.
        memory: u64,
    },
}

/// Returns the free disk space in a folder, in bytes.
pub(crate) fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns an error if the given parts don't fit in the free space on a folder's disk.
pub(super) fn check_disk(
    manifest: &Manifest,
    parts: &[Part],
    folder: &Path,
    free: u64,
) -> Result<(), Shortage> {
    let needed = bytes(manifest, parts) + OVERHEAD_BYTES;
    if needed <= free {
        return Ok(());
    }
    // Round the required space up and the free space down, so that the message never shows sizes that seem to
    // fit.
    Err(Shortage::Disk {
        folder: folder.to_owned(),
        needed: needed.div_ceil(MEGABYTE),
        free: free / MEGABYTE,
    })
}

/// Returns an error if the given parts don't fit in the function's memory. Outside Lambda, always succeeds.
pub(super) fn check_memory(
    manifest: &Manifest,
    parts: &[Part],
    memory_mb: Option<u64>,
) -> Result<(), Shortage> {
    let parts = bytes(manifest, parts).div_ceil(MEGABYTE);
    match memory_mb {
        Some(memory) if memory < parts + OVERHEAD_MB => Err(Shortage::Memory { parts, memory }),
        _ => Ok(()),
    }
}

/// Returns the given parts' total length, in bytes.
pub(super) fn bytes(manifest: &Manifest, parts: &[Part]) -> u64 {
    parts.iter().filter_map(|part| manifest.files.get(part)).map(|entry| entry.bytes).sum()
}
