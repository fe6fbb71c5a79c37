//! Limits for the sizes of frames, so that an invalid description can't make a reader allocate too much
//! memory.

/// The maximum size of an unpacked frame, in bytes. Frames of 8 MiB would be at most 1% smaller in total, but
/// need four times the memory during a cold start.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 * 1024 * 1024;

/// The maximum size of a packed frame, in bytes. If zstd can't compress a frame, the frame grows by less than
/// 64 KiB.
pub(crate) const MAX_PACKED_BYTES: u64 = MAX_UNPACKED_BYTES + 64 * 1024;
