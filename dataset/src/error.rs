use std::error::Error;
use std::fmt;

/// A release that cannot be used: which file of it, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseError {
    file: String,
    reason: String,
}

impl ReleaseError {
    /// Says what is wrong with a file.
    pub fn new(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), reason: reason.into() }
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }
}

impl fmt::Display for ReleaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

impl Error for ReleaseError {}
