//! How large a frame may be, so that nobody who reads a description makes more room than there is.

/// The most bytes that a frame unpacks to.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 8 * 1024 * 1024;

/// The most bytes of a packed frame: what zstd cannot pack grows by less than 64 KiB.
pub(crate) const MAX_PACKED_BYTES: u64 = MAX_UNPACKED_BYTES + 64 * 1024;
