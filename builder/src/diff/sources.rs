//! Identifies the sources of records across two releases.

use std::collections::HashMap;

use dataset::{Manifest, RecordSource, Source};

use super::difference::{Kind, SourceDifference};

/// The sources of the records of two releases, identified by their keys.
pub(super) struct Sources {
    /// Each source once, without counts.
    pub(super) all: Vec<SourceDifference>,
    /// The position in `all` of each source of the old release's records.
    pub(super) old: Vec<usize>,
    /// The same for the new release.
    pub(super) new: Vec<usize>,
}

impl Sources {
    pub(super) fn new(
        kind: Kind,
        (old, old_sources): (&Manifest, &[RecordSource]),
        (new, new_sources): (&Manifest, &[RecordSource]),
    ) -> Self {
        let (mut all, mut positions) = (Vec::new(), HashMap::new());
        let mut position = |manifest: &Manifest, source: &RecordSource| {
            let key = manifest.source_of(source).map_or(&*source.name, Source::key);
            *positions.entry(key.to_owned()).or_insert_with(|| {
                all.push(SourceDifference::new(kind, key.to_owned(), source.name.clone()));
                all.len() - 1
            })
        };
        // The new release comes first, so that a renamed source has its new name.
        let new = new_sources.iter().map(|source| position(new, source)).collect();
        let old = old_sources.iter().map(|source| position(old, source)).collect();
        Self { all, old, new }
    }
}
