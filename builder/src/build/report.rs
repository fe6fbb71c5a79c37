//! Reports the result of a build, with the counts of each source.

use std::path::PathBuf;

use dataset::Folder;
use serde::{Deserialize, Serialize};

use super::notice::Notice;
use super::rejects::ReasonCounts;
use crate::diff::{Difference, Kind};

/// A release that was built.
#[derive(Debug)]
pub struct Built {
    pub folder: Folder,
    pub report: Report,
}

/// The counts and notices of a build.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The sources by kind: displays, places, and place measures. Each kind is in the order of
    /// `release.toml`.
    pub sources: Vec<SourceSummary>,
    pub notices: Vec<Notice>,
    /// The differences from another release, and the name of that release.
    pub difference: Option<(String, Difference)>,
    /// The files of IDs that the build created or changed.
    pub ids: Vec<PathBuf>,
}

/// The counts of one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceSummary {
    pub kind: Kind,
    /// The source's name and namespace.
    pub name: String,
    /// The number of rows, both accepted and rejected.
    pub rows: u64,
    pub accepted: u64,
    /// The number of accepted rows outside the United States. They don't belong to any market.
    pub outside_us: u64,
    /// The number of accepted rows whose ID the build assigned.
    pub assigned_ids: u64,
    /// The number of accepted displays without measures.
    pub unmeasured: u64,
    /// The number of records that another source overrides.
    pub overridden: u64,
    pub reasons: ReasonCounts,
}

impl SourceSummary {
    pub(super) fn new(kind: Kind, name: String) -> Self {
        Self {
            kind,
            name,
            rows: 0,
            accepted: 0,
            outside_us: 0,
            assigned_ids: 0,
            unmeasured: 0,
            overridden: 0,
            reasons: ReasonCounts::default(),
        }
    }

    /// Returns the number of rejected rows.
    pub fn rejected(&self) -> u64 {
        self.rows - self.accepted
    }
}
