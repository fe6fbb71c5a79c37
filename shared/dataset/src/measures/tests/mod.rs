//! Tests of records, sums, reports, and the file.

mod file;
mod samples;
mod sums;
