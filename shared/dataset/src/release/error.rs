//! The errors of reading and writing a release.

use std::io;

use thiserror::Error;

/// The error for a release that can't be used, with the name of the faulty file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}: {fault}")]
pub struct ReleaseError {
    file: String,
    fault: Fault,
}

/// The fault of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The operating system can't open or read the file. Contains the system's message.
    #[error("{0}")]
    Unreadable(String),
    /// The manifest isn't JSON of the expected form. Contains the position and the reason.
    #[error("is not a release manifest: {0}")]
    NotAManifest(String),
    #[error("is of format {found}; this program reads format {expected}: build or fetch the release again")]
    Format { found: u32, expected: u32 },
    #[error("has the name {0:?}; a name is made of letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// The manifest's digest isn't the one in its name.
    #[error(
        "was altered after it was named: its name is {name:?}, and its content has the name {expected:?}; \
         build or fetch the release again"
    )]
    Altered { name: String, expected: String },
    /// The manifest belongs to another release than the requested one.
    #[error("describes the release `{0}`")]
    OtherRelease(String),
    #[error("says that {file} has {bytes} bytes; a file of a release has at most {most}")]
    TooLong { file: &'static str, bytes: u64, most: u64 },
    #[error("is not in this release")]
    Absent,
    /// The manifest doesn't contain the provenance of some figures. Contains their name.
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
    /// The file contradicts itself or another file. Contains the details.
    #[error("{0}")]
    Inconsistent(String),
}

/// The error for a file that can't be written, with the system's message.
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

    /// The error for a file that contradicts itself or another one.
    pub(crate) fn inconsistent(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(file, Fault::Inconsistent(reason.into()))
    }

    /// Returns the name of the faulty file.
    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}
