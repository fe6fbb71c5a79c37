//! Progress reports for long-running operations on a release.

/// A callback that receives the name of the current step, the amount of work done, and the total amount.
///
/// Several threads can call the callback at the same time.
pub type Progress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);
