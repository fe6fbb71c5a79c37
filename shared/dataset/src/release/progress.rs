//! Progress reports of long-running work on a release.

/// A callback for progress: the name of the current step, the amount done, and the total.
///
/// Several threads can report to the same callback.
pub type Progress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);
