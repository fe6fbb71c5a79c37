//! Reports faults of the database file to the administrator.

use dynoxide::DynoxideError;

/// Describes a fault of the database file, with what the administrator can do about it. The advice is the same
/// for all faults, because the engine's errors don't contain SQLite's codes.
pub(super) fn described(file: &str, error: &DynoxideError) -> String {
    format!(
        "cannot use {file}: {error}; free space on its disk, check its permissions, choose another \
         --data-dir, or start `marquee serve` with --reset, which deletes it"
    )
}

/// Logs a fault of the database file, and returns an error that names the file and the remedy. Returns the
/// caller's errors unchanged.
pub(super) fn explained(file: &str, error: DynoxideError) -> DynoxideError {
    if error.status_code() < 500 {
        return error;
    }
    let fault = described(file, &error);
    tracing::error!(event = "database_fault", file, error = fault);
    DynoxideError::InternalServerError(fault)
}
