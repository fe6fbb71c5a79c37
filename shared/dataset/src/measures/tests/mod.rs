//! Tests of records, sums of records, reports, and the file format.

mod file;
mod samples;
mod sums;
