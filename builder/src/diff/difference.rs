//! The differences between two releases.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The differences between two releases, by kind of record and by source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    pub(super) sources: Vec<SourceDifference>,
    pub(super) rows: Vec<Row>,
    /// Whether the names, positions, or populations of areas differ.
    pub geographies_differ: bool,
    /// Whether the cohorts or their populations differ.
    pub population_differs: bool,
}

/// A kind of record that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    Displays,
    Places,
    /// The visits to places. Releases don't store which source a place's visits come from, so differences are
    /// grouped only into modelled and loaded visits.
    PlaceMeasures,
}

/// The differences in one source's records.
///
/// A record that is in both releases is counted under its source in the new release. If its source in the old
/// release was different, it's counted as changed, with `source` as a member that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDifference {
    pub kind: Kind,
    /// The source's namespace, or its name if it doesn't have one. The key identifies the source in both
    /// releases.
    pub key: String,
    /// The source's name. If the name has changed, this is the name in the new release.
    pub name: String,
    /// The number of the source's records in the old release.
    pub before: u64,
    /// The number of the source's records in the new release.
    pub after: u64,
    pub added: u64,
    pub changed: u64,
    /// The number of the source's records in the old release that aren't in the new release under any source.
    pub removed: u64,
    /// The number of changed records that moved by more than [`MOVED_KM`](super::MOVED_KM) and whose source
    /// is the same in both releases.
    pub moved: u64,
    /// The number of records in both releases that differ only in the vintage of their source.
    pub new_vintage: u64,
    /// The number of changed records for each changed member, such as `location.geometry`.
    pub members: BTreeMap<&'static str, u64>,
}

/// A record that differs between two releases.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub kind: Kind,
    /// The spot ID of a display, or the place ID.
    pub id: u64,
    /// The name of the display or place, or an empty string if it has none.
    pub name: String,
    pub change: Change,
}

/// The difference between a record's versions in two releases.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Added,
    Changed {
        members: Vec<&'static str>,
        /// The distance in kilometers if the record moved by more than [`MOVED_KM`](super::MOVED_KM).
        moved_km: Option<f64>,
    },
    Removed,
}

impl Difference {
    /// Iterates over the sources whose records differ, sorted by kind and name.
    pub fn by_source(&self) -> impl Iterator<Item = &SourceDifference> {
        self.sources.iter()
    }

    /// Returns the records that differ, sorted by kind and ID. The slice is empty if the comparison didn't
    /// include details.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns whether the records, geographies, and population are the same in both releases.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && !self.geographies_differ && !self.population_differs
    }

    pub(super) fn extend(&mut self, (mut sources, rows): (Vec<SourceDifference>, Vec<Row>)) {
        sources.retain(|source| !source.is_empty());
        sources.sort_by(|one, other| (&one.name, &one.key).cmp(&(&other.name, &other.key)));
        self.sources.extend(sources);
        self.rows.extend(rows);
    }
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Displays, Self::Places, Self::PlaceMeasures];

    /// Returns the plural noun for records of this kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Displays => "displays",
            Self::Places => "places",
            Self::PlaceMeasures => "place measures",
        }
    }
}

impl SourceDifference {
    /// Creates a source with counts of 0.
    pub(super) fn new(kind: Kind, key: String, name: String) -> Self {
        Self {
            kind,
            key,
            name,
            before: 0,
            after: 0,
            added: 0,
            changed: 0,
            removed: 0,
            moved: 0,
            new_vintage: 0,
            members: BTreeMap::new(),
        }
    }

    /// Counts a changed record.
    pub(super) fn change(&mut self, members: &[&'static str], is_moved: bool) {
        self.changed += 1;
        self.moved += u64::from(is_moved);
        for member in members {
            *self.members.entry(member).or_default() += 1;
        }
    }

    /// Adds the counts for another part of the same source.
    pub(super) fn add(&mut self, other: Self) {
        self.before += other.before;
        self.after += other.after;
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
        self.moved += other.moved;
        self.new_vintage += other.new_vintage;
        for (member, records) in other.members {
            *self.members.entry(member).or_default() += records;
        }
    }

    fn is_empty(&self) -> bool {
        self.before == self.after && self.added + self.changed + self.removed + self.new_vintage == 0
    }
}
