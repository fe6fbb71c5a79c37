//! What the program reports when it fails.

use std::error::Error;

use builder::import::ImportError;

/// Why the program fails.
///
/// An error's text is whole: what failed, why, and what to do. It includes the text of its cause, which is
/// also its source, so `main` prints the outermost text only.
pub type Failure = Box<dyn Error>;

/// Returns the exit status: 3 where an import rejected more rows than it may, else 1.
pub fn exit_status(failure: &Failure) -> u8 {
    let mut cause: Option<&(dyn Error + 'static)> = Some(failure.as_ref());
    while let Some(error) = cause {
        if matches!(error.downcast_ref(), Some(ImportError::TooManyRejects { .. })) {
            return 3;
        }
        cause = error.source();
    }
    1
}
