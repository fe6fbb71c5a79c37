//! Why a release cannot be used, or a file of it not be written.

use std::io;

use thiserror::Error;

/// A release that cannot be used: which file of it, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}: {fault}")]
pub struct ReleaseError {
    file: String,
    fault: Fault,
}

/// What is wrong with a file of a release.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The system does not give it: what the system says.
    #[error("{0}")]
    Unreadable(String),
    /// The manifest is no JSON of the right form: where and why.
    #[error("is not a release manifest: {0}")]
    NotAManifest(String),
    #[error("is of format {found}; this program reads format {expected}: build or fetch the release again")]
    Format { found: u32, expected: u32 },
    #[error("has the name {0:?}; a name is made of letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// The manifest is that of another release than the one that was asked for.
    #[error("describes the release `{0}`")]
    OtherRelease(String),
    #[error("says that {file} has {bytes} bytes; a file of a release has at most {most}")]
    TooLong { file: &'static str, bytes: u64, most: u64 },
    #[error("is not in this release")]
    Absent,
    /// The manifest lacks the provenance of figures: what they are called.
    #[error("does not say where the figures of {0} come from")]
    NoProvenance(&'static str),
    #[error("has {found} bytes; the manifest says {expected}")]
    Length { found: u64, expected: u64 },
    #[error("is not what the manifest describes: its SHA-256 differs")]
    Digest,
    #[error("is not a whole file of a release")]
    CutOff,
    #[error("has no section {0}")]
    NoSection(String),
    #[error("the section {0} is not made of whole rows")]
    BrokenRows(String),
    #[error("the texts of {0} are cut off")]
    BrokenTexts(String),
    /// It contradicts itself or another file: where and how.
    #[error("{0}")]
    Inconsistent(String),
}

/// A file that cannot be written, and what the system says.
#[derive(Debug, Error)]
#[error("{file}: {source}")]
pub struct WriteError {
    file: String,
    source: io::Error,
}

impl WriteError {
    pub fn new(file: impl Into<String>, source: io::Error) -> Self {
        Self { file: file.into(), source }
    }
}

impl ReleaseError {
    pub fn new(file: impl Into<String>, fault: Fault) -> Self {
        Self { file: file.into(), fault }
    }

    /// Says that a file contradicts itself or another one.
    pub(crate) fn inconsistent(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(file, Fault::Inconsistent(reason.into()))
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}
