//! Limits for frames, so that a description can't make a reader allocate more memory than it has.

/// The size of an unpacked frame, in bytes. Frames of 8 MiB would pack at most 1% better, but need four
/// times the memory during a cold start.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 * 1024 * 1024;

/// The maximum size of a packed frame, in bytes. Data that zstd can't compress grows by less than 64 KiB.
pub(crate) const MAX_PACKED_BYTES: u64 = MAX_UNPACKED_BYTES + 64 * 1024;
