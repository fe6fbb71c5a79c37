//! Matches record sources between two releases.

use std::collections::HashMap;

use dataset::{Manifest, RecordSource, Source};

use super::difference::{Kind, SourceDifference};

/// The sources of the records in two releases, matched by key.
pub(super) struct Sources {
    /// All sources, with counts of 0.
    pub(super) all: Vec<SourceDifference>,
    /// For each source in the old release, its index in `all`.
    pub(super) old: Vec<usize>,
    /// For each source in the new release, its index in `all`.
    pub(super) new: Vec<usize>,
}

impl Sources {
    /// Matches the sources in the old release to those in the new release by key. A source whose key isn't in
    /// the new release is matched by name, because its key changes if it's later given a namespace.
    pub(super) fn new(
        kind: Kind,
        (old, old_sources): (&Manifest, &[RecordSource]),
        (new, new_sources): (&Manifest, &[RecordSource]),
    ) -> Self {
        let (mut all, mut positions) = (Vec::new(), HashMap::new());
        let mut position = |key: &str, name: &str| {
            *positions.entry(key.to_owned()).or_insert_with(|| {
                all.push(SourceDifference::new(kind, key.to_owned(), name.to_owned()));
                all.len() - 1
            })
        };
        let named: Vec<(&str, &str)> =
            new_sources.iter().map(|source| (key(new, source), source.name.as_str())).collect();
        let of_new = named.iter().map(|(key, name)| position(key, name)).collect();
        let of_old = old_sources.iter().map(|source| {
            let key = key(old, source);
            let is_new = named.iter().any(|(other, _)| *other == key);
            let same_name = named.iter().find(|(_, name)| !is_new && *name == source.name);
            position(same_name.map_or(key, |(key, _)| key), &source.name)
        });
        let of_old = of_old.collect();
        Self { all, old: of_old, new: of_new }
    }
}

/// Returns the key of a record's source.
fn key<'a>(manifest: &'a Manifest, source: &'a RecordSource) -> &'a str {
    manifest.source_of(source).map_or(&source.name, Source::key)
}
