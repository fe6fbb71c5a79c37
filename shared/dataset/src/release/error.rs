//! Errors in reading and writing releases.

use std::io;

use thiserror::Error;

/// The error for a release file that can't be used, with the file's name and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}: {fault}")]
pub struct ReleaseError {
    file: String,
    fault: Fault,
}

/// The reason why a release file can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The operating system can't open or read the file. The string is the system's error message.
    #[error("{0}")]
    Unreadable(String),
    /// The manifest isn't valid JSON or lacks expected members. The string is the parser's message, with the
    /// position.
    #[error("is not a release manifest: {0}")]
    NotAManifest(String),
    #[error("has format {found}, but this program reads format {expected}; build or fetch the release again")]
    Format { found: u32, expected: u32 },
    #[error("has the name {0:?}; a name may contain only letters, digits, `-`, `_`, and `.`")]
    Name(String),
    /// The digest in the manifest's name doesn't match the manifest's contents.
    #[error(
        "does not match the release's name: the release is named {name:?}, but the name computed from the \
         manifest is {expected:?}; build or fetch the release again"
    )]
    Altered { name: String, expected: String },
    /// The manifest is for a different release than the requested one. The string is the name in the
    /// manifest.
    #[error("describes another release, `{0}`")]
    OtherRelease(String),
    #[error("lists {file} with {bytes} bytes; the limit is {most}")]
    TooLong { file: &'static str, bytes: u64, most: u64 },
    #[error("is not in this release")]
    Absent,
    /// The manifest lacks the provenance of a group of figures. The string is the name of the group.
    #[error("has no provenance for {0}")]
    NoProvenance(&'static str),
    #[error("has {found} bytes, but the manifest says {expected}")]
    Length { found: u64, expected: u64 },
    #[error("does not match the manifest: its SHA-256 differs")]
    Digest,
    #[error("is truncated or is not a release file")]
    CutOff,
    #[error("has no {0:?} section")]
    NoSection(String),
    #[error("has an incomplete row in the {0:?} section")]
    BrokenRows(String),
    #[error("has truncated strings in the {0:?} section")]
    BrokenTexts(String),
    /// The file contradicts itself or another file. The string explains the contradiction.
    #[error("{0}")]
    Inconsistent(String),
}

/// The error for a file that can't be written. Its message consists of the file name and the system's error
/// message.
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

    /// Creates the error for a file that contradicts itself or another file.
    pub(crate) fn inconsistent(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(file, Fault::Inconsistent(reason.into()))
    }

    /// Returns the name of the unusable file.
    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}
