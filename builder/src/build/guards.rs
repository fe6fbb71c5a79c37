//! Guards against sources that are incomplete or shifted by mistake.

use thiserror::Error;

use super::max_rejects::MaxRejects;

/// A source that shrinks by more than this percentage stops the build.
const MAX_SHRUNK_PERCENT: u64 = 20;

/// If more than this percentage of a source's records moved, the build stops.
const MAX_MOVED_PERCENT: u64 = 5;

/// A change that stops a build.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Violation {
    #[error(
        "{source_name} has {after} {what}, {before} in {release}: it shrank by more than {MAX_SHRUNK_PERCENT}%; if that's \
         right, add --accept-changes {key}"
    )]
    Shrank { source_name: String, key: String, what: &'static str, before: u64, after: u64, release: String },
    #[error(
        "{moved} of {both} {what} of {source_name} moved by more than 1 km, more than {MAX_MOVED_PERCENT}%; if that's right, \
         add --accept-changes {key}"
    )]
    Moved { source_name: String, key: String, what: &'static str, moved: u64, both: u64 },
    #[error("{source_name}: {rejected} of {rows} rows were rejected, more than max_rejects = {most} allows")]
    Rejects { source_name: String, rejected: u64, rows: u64, most: MaxRejects },
}
