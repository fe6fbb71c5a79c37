//! Checks that a release fits into the memory of a function and, before it's fetched, on the disk.

use std::io;
use std::path::{Path, PathBuf};

use dataset::{Manifest, Part};
use thiserror::Error;

/// The number of bytes in a megabyte, as Lambda defines it.
const MEGABYTE: u64 = 1024 * 1024;

/// The memory that a function needs in addition to its mapped files, in megabytes. About three quarters of it
/// is for frames in flight.
const OVERHEAD_MB: u64 = 64;

/// The disk space for the manifest and the metadata of the file system, in bytes.
const OVERHEAD_BYTES: u64 = 2 * MEGABYTE;

/// The error returned when a release doesn't fit. All sizes are in megabytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Shortage {
    /// The free disk space is too small for the parts.
    #[error(
        "the release requires {needed} MB, but {folder} has {free} MB free; increase the function's \
         EphemeralStorage",
        folder = folder.display()
    )]
    Disk {
        /// The folder that the parts are fetched into.
        folder: PathBuf,
        /// The required disk space.
        needed: u64,
        /// The free disk space.
        free: u64,
    },
    /// The memory is too small for the mapped parts. The operating system would evict parts that don't fit
    /// and read them from disk repeatedly.
    #[error(
        "the release's parts require {parts} MB, but the function has {memory} MB of memory; increase \
         MemorySize to at least {}",
        parts + OVERHEAD_MB
    )]
    Memory {
        /// The total size of the parts.
        parts: u64,
        /// The memory of the function.
        memory: u64,
    },
}

/// Returns the free disk space of a folder, in bytes.
pub(crate) fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns an error if the given parts don't fit into the free space of a folder's disk.
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
    // The requirement is rounded up and the free space is rounded down, so that the message never shows sizes
    // that seem to fit.
    Err(Shortage::Disk {
        folder: folder.to_owned(),
        needed: needed.div_ceil(MEGABYTE),
        free: free / MEGABYTE,
    })
}

/// Returns an error if the given parts don't fit into the memory of the function. Outside Lambda, the memory
/// isn't checked.
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

/// Returns the total length of the given parts, in bytes.
pub(super) fn bytes(manifest: &Manifest, parts: &[Part]) -> u64 {
    parts.iter().filter_map(|part| manifest.files.get(part)).map(|entry| entry.bytes).sum()
}
