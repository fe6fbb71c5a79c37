//! Entries in `release.toml`. Each entry describes the files in which a source provides one kind of record.

use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;

use dataset::{RecordSource, Source};

use super::error::SourceListError;
use super::max_rejects::MaxRejects;
use super::source_list::SAMPLE;
use crate::diff::Kind;

/// A source's name, which is stored in records and shown in responses. It's 1 to 200 characters long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Display)]
pub struct SourceName(String);

/// The files in which a source provides one kind of record, and the settings for reading them.
#[derive(Clone, Debug)]
pub struct SourceEntry {
    pub kind: Kind,
    pub name: SourceName,
    /// The day that the data describes, as `YYYY-MM-DD`.
    pub vintage: Option<String>,
    /// The files to read. They must all have the same columns.
    pub files: Vec<PathBuf>,
    /// The file with the column map.
    pub map: Option<PathBuf>,
    /// The sheet to read from a workbook.
    pub sheet: Option<String>,
    /// The 1-based number of the header row in a CSV file or a workbook. If `None`, the header is the first
    /// row with values.
    pub header_row: Option<NonZeroU64>,
    /// The namespace of the source's register numbers. Rows without an ID are assigned one in this namespace.
    pub ids: Option<String>,
    /// The folder with the files that store assigned IDs.
    pub ids_folder: PathBuf,
    /// The names or namespaces of the sources whose records this source's records replace.
    pub overrides: Vec<String>,
    /// Whether to assume that rows without a country are outside the United States.
    pub outside_us: bool,
    /// The maximum number or percentage of rejected rows. The build stops if it's exceeded.
    pub max_rejects: Option<MaxRejects>,
    /// Whether to keep displays without measures. Search never returns them.
    pub keeps_unmeasured: bool,
    /// Known gaps in the data, as shown in responses.
    pub known_gaps: Vec<String>,
    pub licence: String,
    pub attribution: String,
    /// Whether the source belongs to the public sample.
    pub is_sample: bool,
}

impl SourceName {
    const MAX_CHARACTERS: usize = 200;

    /// Parses a name. A name can't contain `; `, because responses use it as the separator between names.
    pub(super) fn new(text: &str) -> Result<Self, SourceListError> {
        let text = text.trim();
        let is_long = text.chars().nth(Self::MAX_CHARACTERS).is_some();
        if text.is_empty() || is_long || text.contains(char::is_control) || text.contains("; ") {
            return Err(SourceListError::Name(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SourceEntry {
    /// Returns the source's namespace, or its name if it doesn't have a namespace. This key identifies the
    /// source in messages, guards, and `overrides`.
    pub fn key(&self) -> &str {
        self.ids.as_deref().unwrap_or(self.name.as_str())
    }

    /// Returns whether the entry's namespace or name is `name`. All entries of the public sample are also
    /// named `sample`.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.as_str() == name || self.ids.as_deref() == Some(name) || self.is_sample && name == SAMPLE
    }

    /// Returns whether this entry's records replace those of `other`.
    pub fn overrides(&self, other: &Self) -> bool {
        self.overrides.iter().any(|name| other.is_named(name))
    }

    /// Returns the source as stored in the entry's records. `today` is the vintage if the entry doesn't
    /// specify one.
    pub(super) fn record_source(&self, today: &str) -> RecordSource {
        RecordSource { name: self.name.to_string(), vintage: self.vintage(today).to_owned() }
    }

    /// Returns the source as listed in the manifest.
    pub(super) fn manifest_source(&self, today: &str) -> Source {
        Source {
            name: self.name.to_string(),
            vintage: self.vintage(today).to_owned(),
            licence: self.licence.clone(),
            attribution: self.attribution.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(super) fn vintage<'a>(&'a self, today: &'a str) -> &'a str {
        self.vintage.as_deref().unwrap_or(today)
    }
}

impl fmt::Display for SourceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ids {
            Some(ids) => write!(f, "{} ({ids})", self.name),
            None => self.name.fmt(f),
        }
    }
}
