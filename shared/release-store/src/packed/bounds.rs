//! Limits on frame sizes, so that an invalid description can't make a reader allocate too much memory.

/// The maximum size of an unpacked frame, in bytes. 8 MiB frames would make releases at most 1% smaller, but
/// would need four times the memory during a cold start.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 * 1024 * 1024;

/// The maximum size of a packed frame, in bytes. A frame that zstd can't compress grows by less than 64 KiB.
pub(crate) const MAX_PACKED_BYTES: u64 = MAX_UNPACKED_BYTES + 64 * 1024;
