//! The error type that all commands share, and the program's exit status.

use std::error::Error;

use builder::build::BuildError;

use crate::commands::{BuildWithRejects, BuiltWithNotices};

/// The error that a failed command returns.
///
/// An error's message is complete: it states what failed, why, and how to fix it. It includes the source
/// error's message, so `main` prints only the outermost error.
pub type Failure = Box<dyn Error>;

/// Returns the program's exit status: 4 if a release was built with notices, 3 if a guard stopped a build,
/// and 1 for all other errors.
pub fn exit_status(failure: &Failure) -> u8 {
    if failure.is::<BuiltWithNotices>() {
        return 4;
    }
    let rejected = failure.downcast_ref().map(|BuildWithRejects { source, .. }| source);
    match rejected.or(failure.downcast_ref()) {
        Some(BuildError::Stopped(_)) => 3,
        _ => 1,
    }
}
