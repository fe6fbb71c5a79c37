//! The error type of all commands, and the exit status of the program.

use std::error::Error;

use builder::build::ImportError;

/// The error of a command that failed.
///
/// The text of an error is complete: it states what failed, why, and how to fix it. It includes the text of
/// the error's source, so `main` prints only the outermost error.
pub type Failure = Box<dyn Error>;

/// Returns the program's exit status: 3 if an import exceeded its limit of rejected rows, and 1 for all other
/// errors.
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
