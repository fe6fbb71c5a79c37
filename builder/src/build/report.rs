//! The report on a build, with the row counts for each source.

use std::path::PathBuf;

use dataset::Folder;
use serde::{Deserialize, Serialize};

use super::notice::Notice;
use super::rejects::ReasonCounts;
use crate::diff::{Difference, Kind};

/// The result of a build.
#[derive(Debug)]
pub struct Built {
    pub folder: Folder,
    pub report: Report,
}

/// The row counts, notices, and differences of a build.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The row counts for each source. Display sources come first, then place sources, and then sources of
    /// place measures, each in the same order as in `release.toml`.
    pub sources: Vec<SourceSummary>,
    pub notices: Vec<Notice>,
    /// The name of the release that the build was compared with, and the differences from it.
    pub difference: Option<(String, Difference)>,
    /// The files of assigned IDs that the build created or changed.
    pub ids: Vec<PathBuf>,
}

/// The row counts for one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceSummary {
    pub kind: Kind,
    /// The source's name and namespace.
    pub name: String,
    /// The number of accepted and rejected rows.
    pub rows: u64,
    pub accepted: u64,
    /// The number of accepted rows outside the United States, which don't belong to any market.
    pub outside_us: u64,
    /// The number of accepted rows without an ID, to which the build assigned IDs.
    pub assigned_ids: u64,
    /// The number of accepted displays without measures.
    pub unmeasured: u64,
    /// The number of records that aren't in the release because another source overrides them.
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
