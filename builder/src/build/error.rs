//! Errors that stop a build.

use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use dataset::places::PlacesWriteError;
use dataset::{ReleaseError, WriteError};
use thiserror::Error;

use super::guards::Violation;
use super::ids::{IdsError, Unassigned};
use super::max_rejects::ParseMaxRejectsError;
use super::rejects::RejectsError;
use crate::columns::{MapError, MatchError};
use crate::diff::Kind;
use crate::packing::PackError;
use crate::rows::{FileError, quoted};
use crate::sample::SampleError;

/// The error for a build that didn't create a release. Rejected rows and cached results may have been
/// written.
#[derive(Debug, Error)]
pub enum BuildError {
    #[error(transparent)]
    List(#[from] SourceListError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error("{}: {source}", file.display())]
    MapOfFile { file: PathBuf, source: MapError },
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(
        "{}: must have the same columns as {}, which belongs to the same source, but it {}; give the file \
         its own entry",
        file.display(), first.display(), column_difference(lacks, has)
    )]
    OtherColumns { file: PathBuf, first: PathBuf, lacks: Vec<String>, has: Vec<String> },
    #[error("{source_name}: [modelled] is allowed only for displays; remove it from the column map")]
    ModelledPlaces { source_name: String },
    #[error("{source_name}: the files contain no rows")]
    NoRows { source_name: String },
    #[error("{source_name}: every row was rejected")]
    NothingAccepted { source_name: String },
    #[error(
        "{source_name}: {row} has no {what}; set ids = \"NAME\" in the source's entry to have IDs assigned \
         based on {member}"
    )]
    NoNamespace { source_name: String, row: String, what: &'static str, member: &'static str },
    #[error("{source_name}: {row}: {source}")]
    Unassigned { source_name: String, row: String, source: Box<Unassigned> },
    #[error(
        "{source_name}: rows with neither given nor modelled measures: {rows}; the first is {first}; map a \
         column to weekly_impressions or measure, add [modelled] to the column map, or set unmeasured = \
         \"keep\" in the source's entry to keep these rows for lookups only"
    )]
    Unmeasured { source_name: String, rows: u64, first: String },
    #[error(
        "{what} {id} is in two sources: {one} and {other}; correct one of them, or, in the entry of the \
         source whose record should be used, add the other source to overrides"
    )]
    SameId { what: &'static str, id: u64, one: String, other: String },
    #[error(
        "{} is missing, but {release} contains IDs from the {namespace} namespace; recover the file with \
         `marquee release ids {release}`",
        file.display()
    )]
    IdsMissing { file: PathBuf, namespace: String, release: String },
    /// The changes are larger than the guards allow.
    #[error(
        "the build was stopped:\n{}",
        .0.iter().map(|one| format!("  {one}")).collect::<Vec<_>>().join("\n")
    )]
    Stopped(Vec<Violation>),
    #[error(
        "--accept-changes: there is no source named {}; the sources are {}",
        quoted(name), known.join(", ")
    )]
    UnknownSource { name: String, known: Vec<String> },
    #[error("the cache in {} cannot be used: {source}", folder.display())]
    Cache { folder: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Ids(#[from] IdsError),
    #[error(transparent)]
    Rejects(#[from] RejectsError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    Places(#[from] PlacesWriteError),
    #[error(transparent)]
    Measures(#[from] MeasuresWriteError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// The error for a list of sources that can't be read or is invalid.
#[derive(Debug, Error)]
pub enum SourceListError {
    #[error("{}: {source}", list.display())]
    In { list: PathBuf, source: Box<Self> },
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("{}", .0.to_string().trim_end())]
    Form(#[from] toml::de::Error),
    #[error(
        "label must consist of 1 to 60 lowercase letters, digits, hyphens, or underscores, and start with a \
         letter or digit, got {}",
        quoted(.0)
    )]
    Label(String),
    #[error(
        "ids must consist of 1 to 60 lowercase letters, digits, hyphens, or underscores, and start with a \
         letter or digit, got {}",
        quoted(.0)
    )]
    Ids(String),
    #[error(
        "source must have 1 to 200 characters and must not contain control characters or \"; \", got {}",
        quoted(.0)
    )]
    Name(String),
    #[error("an entry for {} has no source; set source to the name of the data's owner", .0.name())]
    NoName(Kind),
    #[error("{of}: {member} isn't allowed in an entry for {}; remove it", kind.name())]
    UnfitMember { member: &'static str, kind: Kind, of: String },
    #[error("vintage must be a calendar date (YYYY-MM-DD), got {}", quoted(.0))]
    Vintage(String),
    #[error("max_rejects {error}, got {}", quoted(text))]
    MaxRejects { text: String, error: ParseMaxRejectsError },
    #[error("{0}: files is empty; list at least 1 file")]
    NoFiles(String),
    #[error("{of}: files: {} doesn't match any file", quoted(pattern))]
    NoMatch { pattern: String, of: String },
    #[error("files: {} isn't a valid pattern: {source}", quoted(pattern))]
    Pattern { pattern: String, source: glob::PatternError },
    #[error("{} is listed twice; list each file only once", .0.display())]
    SameFile(PathBuf),
    #[error(
        "two entries have the same source, {}, and the same ids; give each entry its own ids or source",
        quoted(.0)
    )]
    SameName(String),
    #[error(
        "{of}: overrides: there is no source named {}; the sources are {}",
        quoted(name), known.join(", ")
    )]
    UnknownOverride { name: String, of: String, known: Vec<String> },
    #[error("overrides form a cycle: {}; remove one of them", .0.join(" overrides "))]
    Cycle(Vec<String>),
}

fn column_difference(lacks: &[String], has: &[String]) -> String {
    let said = |verb: &str, columns: &[String]| {
        let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    [said("lacks", lacks), said("has", has)].into_iter().flatten().collect::<Vec<_>>().join(" and ")
}
