//! Describes faults of the database file to the administrator.

use dynoxide::DynoxideError;

/// Describes a fault of the database file, and lists possible remedies. The remedies are the same for all
/// faults, because the engine's errors don't contain SQLite's error codes.
pub(super) fn described(file: &str, error: &DynoxideError) -> String {
    format!(
        "cannot use {file}: {error}; free space on its disk, check its permissions, choose another \
         --data-dir, or start `marquee serve` with --reset, which deletes it"
    )
}

/// Logs a fault of the database file, and returns an error that names the file and the remedies. Errors that
/// the caller has caused are returned unchanged.
pub(super) fn explained(file: &str, error: DynoxideError) -> DynoxideError {
    if error.status_code() < 500 {
        return error;
    }
    let fault = described(file, &error);
    tracing::error!(event = "database_fault", file, error = fault);
    DynoxideError::InternalServerError(fault)
}
