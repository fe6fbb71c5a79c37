//! Matches the records of two releases by ID and counts the differences.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use dataset::{Manifest, Progress, RecordSource, ReleaseError};

use super::MOVED_KM;
use super::difference::{Change, Kind, Row, SourceDifference};
use super::sources::Sources;
use crate::model::parallel;

/// The number of old records in a chunk. Progress is reported after each chunk.
const CHUNK: usize = 10_000;

/// The records of one kind in two releases.
pub(super) trait Records: Sync {
    const KIND: Kind;

    /// The index of a record in its release.
    type Index: Copy + Send + Sync;

    /// Iterates over the records of a release with their IDs and sources.
    fn records(&self, release: Release) -> impl Iterator<Item = (u64, Self::Index, RecordSource)>;

    /// Compares two records with the same ID, ignoring their vintages.
    fn compare(&self, pair: Pair<'_, Self::Index>, buffers: &mut Buffers) -> Result<Changes, ReleaseError>;

    /// Returns a record's name for messages, or an empty string if it doesn't have a name.
    fn name(&self, release: Release, index: Self::Index) -> String;
}

/// One of the two releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Release {
    Old,
    New,
}

/// Two records with the same ID, and the vintages of their sources.
pub(super) struct Pair<'a, I> {
    pub(super) old: I,
    pub(super) new: I,
    pub(super) old_vintage: &'a str,
    pub(super) new_vintage: &'a str,
}

/// Buffers for the JSON of an old and a new record, reused for all records in a chunk.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// The members that differ between two records, and the distance between their positions if the positions
/// differ.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) members: Vec<&'static str>,
    pub(super) distance_km: Option<f64>,
}

/// The releases to compare and the options for comparing them.
pub(super) struct Comparison<'a> {
    pub(super) old: &'a Manifest,
    pub(super) new: &'a Manifest,
    pub(super) details: bool,
    pub(super) progress: Progress<'a>,
}

/// A record in a release. `source` is an index into the sources of its [`Side`].
struct Entry<I> {
    id: u64,
    index: I,
    source: u32,
}

/// The records in one release, sorted by ID, and their distinct sources.
struct Side<I> {
    entries: Vec<Entry<I>>,
    sources: Vec<RecordSource>,
}

/// The two sides of a comparison.
struct Sides<'a, R: Records> {
    records: &'a R,
    old: Side<R::Index>,
    new: Side<R::Index>,
    sources: Sources,
    /// For each source in the new release, whether its records are the same in both releases.
    unchanged: Vec<bool>,
    details: bool,
}

/// The counted differences by source, and the records that differ if details are requested.
type Counted = (Vec<SourceDifference>, Vec<Row>);

impl Comparison<'_> {
    /// Compares all records of one kind in parallel. Records from `unchanged` sources are known to be the
    /// same in both releases, so they're only counted.
    pub(super) fn run<R: Records>(
        &self,
        records: &R,
        unchanged: &BTreeSet<String>,
    ) -> Result<Counted, ReleaseError> {
        let (old, new) = thread::scope(|scope| {
            let old = scope.spawn(|| Side::new(records.records(Release::Old)));
            let new = Side::new(records.records(Release::New));
            (old.join().unwrap_or_else(|panic| resume_unwind(panic)), new)
        });
        let sources = Sources::new(R::KIND, (self.old, &old.sources), (self.new, &new.sources));
        let unchanged = new.sources.iter().map(|source| unchanged.contains(&source.name)).collect();
        let sides = Sides { records, old, new, sources, unchanged, details: self.details };
        let (chunks, done) = (sides.chunks(), AtomicU64::new(0));
        let (step, total) = (format!("comparing {}", R::KIND.name()), chunks.len() as u64);
        (self.progress)(&step, 0, total);
        let counted = parallel::map(chunks.len(), parallel::threads(), &|chunk| {
            let counted = sides.count(chunks[chunk].clone());
            (self.progress)(&step, done.fetch_add(1, Ordering::Relaxed) + 1, total);
            counted
        });
        let (mut all, mut rows) = (sides.sources.all, Vec::new());
        for counted in counted {
            let (sources, more) = counted?;
            all.iter_mut().zip(sources).for_each(|(sum, source)| sum.add(source));
            rows.extend(more);
        }
        Ok((all, rows))
    }
}

impl<I> Side<I> {
    fn new(records: impl Iterator<Item = (u64, I, RecordSource)>) -> Self {
        let (mut sources, mut numbers) = (Vec::new(), HashMap::new());
        let mut number = |source: RecordSource| match numbers.get(&source) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(sources.len()).expect("there are fewer sources than records");
                sources.push(source.clone());
                numbers.insert(source, number);
                number
            }
        };
        let entry = |(id, index, source)| Entry { id, index, source: number(source) };
        let mut entries: Vec<Entry<I>> = records.map(entry).collect();
        entries.sort_unstable_by_key(|entry| entry.id);
        Self { entries, sources }
    }

    /// Returns the records with IDs in a range.
    fn within(&self, ids: &Range<u64>) -> &[Entry<I>] {
        let [start, end] = [ids.start, ids.end].map(|id| self.entries.partition_point(|entry| entry.id < id));
        &self.entries[start..end]
    }

    /// Returns the vintage of a record's source.
    fn vintage(&self, entry: &Entry<I>) -> &str {
        &self.sources[entry.source as usize].vintage
    }
}

impl<R: Records> Sides<'_, R> {
    /// Divides the IDs in both releases into ranges with at most [`CHUNK`] old records each.
    fn chunks(&self) -> Vec<Range<u64>> {
        let starts = self.old.entries.iter().step_by(CHUNK).skip(1).map(|entry| entry.id);
        let bounds: Vec<u64> = [0].into_iter().chain(starts).chain([u64::MAX]).collect();
        bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect()
    }

    /// Counts the differences between the records with IDs in a range.
    fn count(&self, ids: Range<u64>) -> Result<Counted, ReleaseError> {
        let mut old_entries = self.old.within(&ids).iter().peekable();
        let mut new_entries = self.new.within(&ids).iter().peekable();
        let (mut counts, mut rows, mut buffers) = (self.sources.all.clone(), Vec::new(), Buffers::default());
        loop {
            let next = old_entries.peek().into_iter().chain(new_entries.peek()).map(|entry| entry.id).min();
            let Some(id) = next else { return Ok((counts, rows)) };
            let old = old_entries.next_if(|entry| entry.id == id);
            let new = new_entries.next_if(|entry| entry.id == id);
            let change = match (old, new) {
                (Some(old), Some(new)) => self.compare(old, new, &mut counts, &mut buffers)?,
                (Some(old), None) => {
                    let source = &mut counts[self.old_source(old)];
                    source.before += 1;
                    source.removed += 1;
                    Some(Change::Removed)
                }
                (None, Some(new)) => {
                    let source = &mut counts[self.new_source(new)];
                    source.after += 1;
                    source.added += 1;
                    Some(Change::Added)
                }
                (None, None) => None,
            };
            if let Some(change) = change.filter(|_| self.details) {
                rows.push(Row { kind: R::KIND, id, name: self.name(old, new), change });
            }
        }
    }

    /// Compares two records with the same ID and counts the difference. Returns `None` if they're the same
    /// except for their vintage.
    fn compare(
        &self,
        old: &Entry<R::Index>,
        new: &Entry<R::Index>,
        counts: &mut [SourceDifference],
        buffers: &mut Buffers,
    ) -> Result<Option<Change>, ReleaseError> {
        let (old_source, new_source) = (self.old_source(old), self.new_source(new));
        counts[old_source].before += 1;
        counts[new_source].after += 1;
        let is_same_source = self.old.sources[old.source as usize] == self.new.sources[new.source as usize];
        if is_same_source && self.unchanged[new.source as usize] {
            return Ok(None);
        }
        let (old_vintage, new_vintage) = (self.old.vintage(old), self.new.vintage(new));
        let pair = Pair { old: old.index, new: new.index, old_vintage, new_vintage };
        let Changes { mut members, distance_km } = self.records.compare(pair, buffers)?;
        if old_source != new_source {
            members.push("source");
        }
        if members.is_empty() {
            counts[new_source].new_vintage += u64::from(old_vintage != new_vintage);
            return Ok(None);
        }
        let moved_km = distance_km.filter(|distance| *distance > MOVED_KM);
        counts[new_source].change(&members, moved_km.is_some() && old_source == new_source);
        Ok(Some(Change::Changed { members, moved_km }))
    }

    /// Returns a record's name in the new release, or in the old release if it was removed.
    fn name(&self, old: Option<&Entry<R::Index>>, new: Option<&Entry<R::Index>>) -> String {
        let removed = || old.map(|entry| self.records.name(Release::Old, entry.index));
        new.map(|entry| self.records.name(Release::New, entry.index)).or_else(removed).unwrap_or_default()
    }

    /// Returns the index of an old record's source in the counts.
    fn old_source(&self, entry: &Entry<R::Index>) -> usize {
        self.sources.old[entry.source as usize]
    }

    /// Returns the index of a new record's source in the counts.
    fn new_source(&self, entry: &Entry<R::Index>) -> usize {
        self.sources.new[entry.source as usize]
    }
}
