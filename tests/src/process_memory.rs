//! Reads the memory usage of processes. Requires Linux.

use std::fmt::Display;

/// Returns one value from a process's memory status, such as `VmRSS`, in bytes. `self` is the current
/// process.
///
/// # Panics
///
/// Panics if the process or the value doesn't exist, or if the system has no `/proc`.
pub fn process_memory(process: impl Display, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let value = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':'));
    let kilobytes = value.and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_else(|| panic!("no {line} in {status}")) * 1024
}

/// Converts bytes to megabytes of 1,000,000 bytes.
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
