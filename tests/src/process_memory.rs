//! The memory of a process, as Linux accounts for it.

use std::fmt::Display;

/// Returns a line of a process's memory account, such as `VmRSS`, in bytes; `self` is this process.
///
/// # Panics
///
/// When the process or the line is not there, or there is no `/proc`, which is Linux's.
pub fn process_memory(process: impl Display, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let value = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':'));
    let kilobytes = value.and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_else(|| panic!("no {line} in {status}")) * 1024
}

/// Returns bytes in megabytes of a million, as tables show them.
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
