//! Checks of the space that a release needs: disk space before it is fetched, and memory.

use std::io;
use std::path::{Path, PathBuf};

use dataset::{Manifest, Part};
use thiserror::Error;

/// Lambda's definition of a megabyte.
const MEGABYTE: u64 = 1024 * 1024;

/// The memory that a function needs in addition to mapped files, in megabytes. Half of it is for frames in
/// flight.
const OVERHEAD_MB: u64 = 64;

/// The maximum size of the manifest and the file system's own data.
const OVERHEAD_BYTES: u64 = 2 * MEGABYTE;

/// Missing space. All sizes are in megabytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Shortage {
    /// The disk is too small for the parts to fetch.
    #[error(
        "the release requires {needed} MB, but {folder} has {free} MB free; increase the function's \
         EphemeralStorage",
        folder = folder.display()
    )]
    Disk {
        /// The folder that the parts are fetched into.
        folder: PathBuf,
        /// The required space.
        needed: u64,
        /// The free space.
        free: u64,
    },
    /// The memory is too small for the mapped parts. Parts that don't fit are evicted and read from disk
    /// again and again.
    #[error(
        "the release's parts require {parts} MB, but the function has {memory} MB of memory; increase \
         MemorySize to at least {}",
        parts + OVERHEAD_MB
    )]
    Memory {
        /// The size of the parts.
        parts: u64,
        /// The function's memory.
        memory: u64,
    },
}

/// Returns the free disk space of a folder in bytes.
pub(crate) fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns an error if the folder's disk has too little free space for parts.
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
    // Round the requirement up and the free space down, so that the message never shows sizes that seem to
    // fit.
    Err(Shortage::Disk {
        folder: folder.to_owned(),
        needed: needed.div_ceil(MEGABYTE),
        free: free / MEGABYTE,
    })
}

/// Returns an error if the function's memory is too small for parts. Outside Lambda, memory is not checked.
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

/// Returns the total length of parts in bytes.
pub(super) fn bytes(manifest: &Manifest, parts: &[Part]) -> u64 {
    parts.iter().filter_map(|part| manifest.files.get(part)).map(|entry| entry.bytes).sum()
}
