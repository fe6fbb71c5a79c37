//! The one place where memory is mapped.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file for reading.
#[expect(unsafe_code, reason = "the standard library has no safe way to map a file")]
pub(super) fn read_only(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the files of a release are never changed in place: a build writes a new folder, and an import
    // another one.
    unsafe { Mmap::map(&file) }
}
