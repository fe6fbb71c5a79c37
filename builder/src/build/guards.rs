//! Guards that stop a build if a source appears to be incomplete or its positions have shifted.

use dataset::Manifest;
use thiserror::Error;

use super::error::BuildError;
use super::max_rejects::MaxRejects;
use super::source_list::SourceList;
use crate::diff::{Difference, SourceDifference};

/// The build stops if a source shrinks by more than this percentage.
const MAX_SHRUNK_PERCENT: u64 = 20;

/// The build stops if more than this percentage of a source's records moved. The percentage is relative to
/// the source's records that are in both releases.
const MAX_MOVED_PERCENT: u64 = 5;

/// A change in a source that exceeds a guard's limit and stops the build.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Violation {
    #[error(
        "{source_name} shrank by more than {MAX_SHRUNK_PERCENT}%, from {before} {what} in {release} to {after}; \
         if this is correct, add --accept-changes \"{key}\""
    )]
    Shrank { source_name: String, key: String, what: &'static str, before: u64, after: u64, release: String },
    #[error(
        "{source_name}: {moved} of {both} {what} moved by more than 1 km; the limit is {MAX_MOVED_PERCENT}%; \
         if these moves are correct, add --accept-changes \"{key}\""
    )]
    Moved { source_name: String, key: String, what: &'static str, moved: u64, both: u64 },
    #[error("{source_name}: {rejected} of {rows} rows were rejected, which exceeds max_rejects = {most}")]
    Rejects { source_name: String, rejected: u64, rows: u64, most: MaxRejects },
}

/// Checks how much each source has changed since `old`, the release to compare with, and ignores the public
/// sample's sources.
///
/// # Errors
///
/// Fails if a source shrank or moved too much and isn't in `accepted`, or if a source in `accepted` is
/// unknown.
pub(super) fn check(
    list: &SourceList,
    difference: &Difference,
    old: &Manifest,
    accepted: &[String],
) -> Result<(), BuildError> {
    let is_known = |name: &&String| {
        let is_old = old.sources.iter().any(|source| source.key() == name.as_str() || source.name == **name);
        is_old || list.entries.iter().any(|entry| entry.is_named(name))
    };
    if let Some(name) = accepted.iter().find(|name| !is_known(name)) {
        let known = list.entries.iter().map(|entry| entry.key().to_owned()).collect();
        return Err(BuildError::UnknownSource { name: name.clone(), known });
    }
    let is_checked = |source: &&SourceDifference| {
        !list.is_of_sample(&source.key)
            && !accepted.iter().any(|name| *name == source.key || *name == source.name)
    };
    let checked = difference.by_source().filter(is_checked);
    let violations: Vec<Violation> = checked.flat_map(|source| violations(source, &old.name)).collect();
    if violations.is_empty() { Ok(()) } else { Err(BuildError::Stopped(violations)) }
}

fn violations(source: &SourceDifference, release: &str) -> Vec<Violation> {
    let SourceDifference { key, name, before, after, removed, moved, .. } = source;
    let (what, both) = (source.kind.name(), before - removed);
    let shrank = (after * 100 < before * (100 - MAX_SHRUNK_PERCENT)).then(|| Violation::Shrank {
        source_name: name.clone(),
        key: key.clone(),
        what,
        before: *before,
        after: *after,
        release: release.to_owned(),
    });
    let moved = (moved * 100 > both * MAX_MOVED_PERCENT).then(|| Violation::Moved {
        source_name: name.clone(),
        key: key.clone(),
        what,
        moved: *moved,
        both,
    });
    [shrank, moved].into_iter().flatten().collect()
}
