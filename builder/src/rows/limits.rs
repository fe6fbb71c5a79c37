//! How much of a file is read at once.

/// The longest cell that is read, in bytes.
pub const CELL_BYTES: usize = 10_000;

/// The longest row that is read, in bytes: more is no row but a file of another kind.
pub const ROW_BYTES: usize = 1 << 20;
