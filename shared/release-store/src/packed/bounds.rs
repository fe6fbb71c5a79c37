//! How large a frame may be, so that a description cannot make a reader allocate more than it has.

/// The bytes of a file that become one frame, and the most that a frame unpacks to. Frames of 8 MiB would pack
/// at most 1 % better, and take four times the memory of a start.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 * 1024 * 1024;

/// The most bytes of a packed frame: what zstd cannot pack grows by less than 64 KiB.
pub(crate) const MAX_PACKED_BYTES: u64 = MAX_UNPACKED_BYTES + 64 * 1024;
