//! Resolves conflicts between sources that contain records with the same ID.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};

/// A source's records, by ID.
pub(super) struct Claims<'a, I> {
    /// `None` for the public sample.
    pub(super) entry: Option<&'a SourceEntry>,
    pub(super) files: &'a Files,
    pub(super) rows: &'a HashMap<I, FileRow>,
}

/// For each ID that occurs in several sources, the index of the source whose record is used.
pub(super) type Winners<I> = HashMap<I, usize>;

/// Finds the IDs that occur in several sources, and for each ID the source that overrides the others.
///
/// # Errors
///
/// Fails if an ID occurs in two sources and neither overrides the other. The error contains the smallest such
/// ID, regardless of the order of the sources.
pub(super) fn winners<I: Copy + Eq + Hash + Ord>(
    what: &'static str,
    raw: fn(I) -> u64,
    sources: &[Claims<'_, I>],
) -> Result<Winners<I>, BuildError> {
    let mut first = HashMap::<I, usize>::new();
    let mut shared = BTreeMap::<I, Vec<usize>>::new();
    for (at, source) in sources.iter().enumerate() {
        for id in source.rows.keys() {
            match first.get(id) {
                None => drop(first.insert(*id, at)),
                Some(other) => shared.entry(*id).or_insert_with(|| vec![*other]).push(at),
            }
        }
    }
    let mut winners = Winners::new();
    for (id, holders) in shared {
        let is_overridden = |at: usize| holders.iter().any(|other| sources[*other].overrides(&sources[at]));
        let remaining: Vec<usize> = holders.iter().copied().filter(|at| !is_overridden(*at)).collect();
        match remaining[..] {
            [winner] => drop(winners.insert(id, winner)),
            [one, other, ..] => {
                let [one, other] = [one, other].map(|at| sources[at].name(id));
                return Err(BuildError::SameId { what, id: raw(id), one, other });
            }
            [] => unreachable!("overrides don't form a cycle"),
        }
    }
    Ok(winners)
}

/// Returns whether the release contains this source's record with the given ID.
pub(super) fn is_kept<I: Eq + Hash>(winners: &Winners<I>, id: &I, source: usize) -> bool {
    winners.get(id).is_none_or(|winner| *winner == source)
}

impl<I: Copy + Eq + Hash> Claims<'_, I> {
    fn overrides(&self, other: &Self) -> bool {
        match (self.entry, other.entry) {
            (Some(entry), Some(other)) => entry.overrides(other),
            (Some(entry), None) => entry.overrides.iter().any(|name| name == super::source_list::SAMPLE),
            (None, _) => false,
        }
    }

    fn name(&self, id: I) -> String {
        match self.entry {
            Some(entry) => format!("{} from {entry}", self.files.name(self.rows[&id])),
            None => "the public sample".to_owned(),
        }
    }
}
