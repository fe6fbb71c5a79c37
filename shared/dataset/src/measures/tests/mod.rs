//! Tests of measure records, their sums, the reports on them, and the measures file.

mod file;
mod samples;
mod sums;
