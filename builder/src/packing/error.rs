//! Errors that occur when writing a release to a folder.

use std::io;
use std::path::{Path, PathBuf};

use dataset::{ReleaseError, WriteError};
use thiserror::Error;

/// The error for a release that can't be written to a folder.
#[derive(Debug, Error)]
pub enum PackError {
    #[error("cannot write {}: {source}", folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },
    #[error("cannot copy {}: {source}", file.display())]
    NotCopied { file: PathBuf, source: io::Error },
    #[error(transparent)]
    File(#[from] WriteError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl PackError {
    pub(super) fn unwritable(folder: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Unwritable { folder: folder.to_owned(), source }
    }
}
