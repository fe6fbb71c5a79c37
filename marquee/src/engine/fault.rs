//! Explains faults of the database file to the administrator, with a cause and a remedy.

use dynoxide::DynoxideError;

const DISK_FAILS: &str = "the disk failed, or a file reached the maximum size; raise the limit, or choose \
                          a --data-dir on another disk";
const NOT_A_DATABASE: &str = "it is not a database; move it, or start `marquee serve` with --reset, which \
                              deletes it";

/// Messages of SQLite (<https://www.sqlite.org/rescode.html>) and one of the engine, each with its cause and
/// remedy. They are matched as text, because the engine's errors don't contain SQLite's codes.
const FAULTS: [(&str, &str); 7] = [
    (
        "database or disk is full",
        "the disk is full; free some space on it, or choose a --data-dir on another disk",
    ),
    ("I/O error", DISK_FAILS),
    ("readonly database", "it is read-only; run as the user who owns it, or choose another --data-dir"),
    (
        "unable to open database file",
        "it cannot be opened; run as the user who owns it, or choose another --data-dir",
    ),
    ("not a database", NOT_A_DATABASE),
    ("not a valid SQLite database", NOT_A_DATABASE),
    (
        "database disk image is malformed",
        "it is damaged; restore a copy, or start `marquee serve` with --reset, which deletes it",
    ),
];

/// Returns the cause and remedy of an error, if the database file can't be read or written.
pub(super) fn fault(error: &DynoxideError) -> Option<&'static str> {
    let message = error.to_string();
    let is_internal = error.status_code() >= 500;
    FAULTS.into_iter().find(|(text, _)| is_internal && message.contains(text)).map(|(_, fault)| fault)
}

/// Logs a fault of the database file, and returns an error with its cause and remedy. Returns other errors
/// unchanged.
pub(super) fn explained(file: &str, error: DynoxideError) -> DynoxideError {
    let Some(fault) = fault(&error) else { return error };
    tracing::error!(event = "database_fault", file, error = fault);
    DynoxideError::InternalServerError(format!("cannot use {file}: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_messages_map_to_causes() {
        let cases = [
            ("backend: Internal error: database or disk is full", Some("the disk is full")),
            ("backend: I/O error: disk I/O error", Some("the disk failed")),
            ("backend: I/O error: ", Some("the disk failed")),
            ("Internal error: attempt to write a readonly database", Some("it is read-only")),
            ("Internal error: unable to open database file: /a/b", Some("it cannot be opened")),
            ("Internal error: file is not a database", Some("it is not a database")),
            ("Internal error: database disk image is malformed", Some("it is damaged")),
            ("something else", None),
        ];
        for (text, cause) in cases {
            let found = fault(&DynoxideError::InternalServerError(text.to_owned()));
            assert_eq!(found.and_then(|fault| fault.split([',', ';']).next()), cause, "{text}");
            let caller_error = DynoxideError::ValidationException(text.to_owned());
            assert_eq!(fault(&caller_error), None, "{text}");
        }
    }
}
