//! Memory mapping, which is the only unsafe code in the crate.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file into memory, read-only.
#[expect(unsafe_code, reason = "the standard library has no safe way to map a file")]
pub(super) fn read_only(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: Release files are never modified in place, because every build writes a new folder.
    unsafe { Mmap::map(&file) }
}
