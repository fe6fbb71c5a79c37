//! Progress reporting for long-running operations on a release.

/// A callback for progress reports. Its arguments are the name of the current step, the amount of work done,
/// and the total amount of work.
///
/// Several threads can call it at the same time.
pub type Progress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);
