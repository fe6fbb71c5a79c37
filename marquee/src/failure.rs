//! The failure type of all commands, and their exit status.

use std::error::Error;

use builder::import::ImportError;

/// An error that ends a command.
///
/// Each error's text is complete: it says what failed, why, and what to do. It includes the text of its
/// source, so `main` prints only the outermost error.
pub type Failure = Box<dyn Error>;

/// Returns the exit status: 3 if an import exceeded its limit of rejected rows, otherwise 1.
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
