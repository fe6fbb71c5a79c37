//! Why the database's file cannot be used, in words that the operator can act on.

use std::sync::{Arc, Mutex, PoisonError};

use dynoxide::DynoxideError;
use shared::runtime::Clock;
use shared::types::Timestamp;

/// How long the log says nothing more of a fault, in milliseconds: while a disk is full, every call meets it.
const SILENCE_MILLIS: i64 = 60_000;

/// Why the database's file cannot be read or written. The text is the cause and the remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageFault {
    #[error("the disk is full; free some space on it, or choose a --data-dir on another")]
    DiskFull,
    #[error(
        "the disk fails, or a limit on the size of files is reached; lift the limit, or choose a --data-dir \
         on another disk"
    )]
    DiskFails,
    #[error("it can only be read; run as the user who owns it, or choose another --data-dir")]
    ReadOnly,
    #[error("it cannot be opened; run as the user who owns it, or choose another --data-dir")]
    NotOpened,
    #[error("it is no database; move it away, or start `marquee serve` with --fresh, which removes it")]
    NotADatabase,
    #[error(
        "it is damaged; put a copy in its place, or start `marquee serve` with --fresh, which removes it"
    )]
    Damaged,
}

/// What SQLite says of each fault (<https://www.sqlite.org/rescode.html>), and the engine of the fourth: its
/// errors pass on texts alone.
const TEXTS: [(&str, StorageFault); 7] = [
    ("database or disk is full", StorageFault::DiskFull),
    ("I/O error", StorageFault::DiskFails),
    ("readonly database", StorageFault::ReadOnly),
    ("unable to open database file", StorageFault::NotOpened),
    ("not a database", StorageFault::NotADatabase),
    ("not a valid SQLite database", StorageFault::NotADatabase),
    ("database disk image is malformed", StorageFault::Damaged),
];

impl StorageFault {
    /// Returns the fault of the file that an error tells of; `None` for an error that tells of none.
    pub(super) fn of(error: &DynoxideError) -> Option<Self> {
        if error.status_code() < 500 {
            return None;
        }
        let said = error.to_string();
        TEXTS.into_iter().find(|(text, _)| said.contains(text)).map(|(_, fault)| fault)
    }
}

/// Tells of faults that calls meet: whoever calls, and the log once in a while.
#[derive(Clone)]
pub(super) struct FaultReports {
    /// What the engine keeps the tables in.
    file: Arc<str>,
    clock: Clock,
    latest: Arc<Mutex<Option<(StorageFault, Timestamp)>>>,
}

impl FaultReports {
    pub(super) fn of(file: &str, clock: Clock) -> Self {
        Self { file: file.into(), clock, latest: Arc::default() }
    }

    /// Returns an error with the cause and the remedy, where it is a fault of the file.
    pub(super) fn explained(&self, error: DynoxideError) -> DynoxideError {
        let Some(fault) = StorageFault::of(&error) else {
            return error;
        };
        let file = &self.file;
        if self.is_news(fault) {
            tracing::error!(event = "database_fault", %file, error = %fault);
        }
        DynoxideError::InternalServerError(format!("cannot use {file}: {fault}"))
    }

    fn is_news(&self, fault: StorageFault) -> bool {
        let now = self.clock.now();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let silent = latest.is_some_and(|(told, at)| {
            told == fault && (0..SILENCE_MILLIS).contains(&(now.unix_millis() - at.unix_millis()))
        });
        if !silent {
            *latest = Some((fault, now));
        }
        !silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_of_sqlite_is_the_fault_that_it_names() {
        let cases = [
            ("backend: Internal error: database or disk is full", Some(StorageFault::DiskFull)),
            ("backend: I/O error: disk I/O error", Some(StorageFault::DiskFails)),
            ("backend: I/O error: ", Some(StorageFault::DiskFails)),
            ("Internal error: attempt to write a readonly database", Some(StorageFault::ReadOnly)),
            ("Internal error: unable to open database file: /a/b", Some(StorageFault::NotOpened)),
            ("Internal error: file is not a database", Some(StorageFault::NotADatabase)),
            ("Internal error: database disk image is malformed", Some(StorageFault::Damaged)),
            ("something else", None),
        ];
        for (text, fault) in cases {
            assert_eq!(
                StorageFault::of(&DynoxideError::InternalServerError(text.to_owned())),
                fault,
                "{text}"
            );
            let of_the_caller = DynoxideError::ValidationException(text.to_owned());
            assert_eq!(StorageFault::of(&of_the_caller), None, "{text}");
        }
    }
}
