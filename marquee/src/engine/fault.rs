//! Reports faults of the database file to the administrator.

use dynoxide::DynoxideError;

/// Advice for the administrator on any fault of the file. The engine's errors don't contain SQLite's codes.
pub(super) const REMEDY: &str = "free space on its disk, check its permissions, choose another --data-dir, or \
                                 start `marquee serve` with --reset, which deletes it";

/// Logs a fault of the database file, and returns an error that names the file and the remedy. Returns the
/// caller's errors unchanged.
pub(super) fn explained(file: &str, error: DynoxideError) -> DynoxideError {
    if error.status_code() < 500 {
        return error;
    }
    let fault = format!("cannot use {file}: {error}; {REMEDY}");
    tracing::error!(event = "database_fault", file, error = fault);
    DynoxideError::InternalServerError(fault)
}
