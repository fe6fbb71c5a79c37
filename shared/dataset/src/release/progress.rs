//! How far long work on a release is, for whoever watches it.

/// Where long work says how far it is: what it is doing, how much of it is done, and how much there is.
///
/// Work on several threads reports through one of these.
pub type Progress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);
