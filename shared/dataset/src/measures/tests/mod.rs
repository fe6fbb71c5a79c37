//! Records, their sums and reports, and their file.

mod file;
mod samples;
mod sums;
