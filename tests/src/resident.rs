//! The memory of this process.

/// Returns the bytes of this process that are in memory.
///
/// # Panics
///
/// Where there is no `/proc`, which is Linux's.
pub fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line of the memory");
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number")
        * 1024
}
