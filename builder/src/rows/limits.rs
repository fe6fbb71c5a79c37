//! The maximum lengths of cells and rows.

/// The maximum length of a cell, in bytes.
pub const CELL_BYTES: usize = 10_000;

/// The maximum length of a row, in bytes. If a line is longer, the file probably has a different format.
pub const ROW_BYTES: usize = 1 << 20;
