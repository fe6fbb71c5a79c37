//! Describes database file faults to the administrator.

use dynoxide::DynoxideError;

/// Describes a database file fault and possible remedies. The remedies are always the same, because the
/// engine's errors don't contain SQLite error codes.
pub(super) fn described(file: &str, error: &DynoxideError) -> String {
    format!(
        "cannot use {file}: {error}; free space on its disk, check its permissions, choose another \
         --data-dir, or start `marquee serve` with --reset, which deletes it"
    )
}

/// Logs a database file fault and returns an error with the file and the remedies. Errors that the caller
/// caused are returned unchanged.
pub(super) fn explained(file: &str, error: DynoxideError) -> DynoxideError {
    if error.status_code() < 500 {
        return error;
    }
    let fault = described(file, &error);
    tracing::error!(event = "database_fault", file, error = fault);
    DynoxideError::InternalServerError(fault)
}
