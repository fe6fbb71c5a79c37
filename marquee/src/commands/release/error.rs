//! What the operator is told when a command on a release fails.

use std::path::PathBuf;

use release_store::Unpublished;

use crate::commands::cloud::CloudError;
use crate::release::FolderError;

/// Why a command on a release failed.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseCommandError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file of the operator, or what they asked for, is at fault.
    #[error("{0}")]
    Builder(String),
    /// An import failed after it had rejected rows, which may be why.
    #[error("{source}; {rejected_rows}")]
    Import { source: Box<Self>, rejected_rows: RejectedRows },
    #[error(transparent)]
    Cloud(#[from] CloudError),
    #[error(transparent)]
    Publish(#[from] Unpublished),
}

/// Where the rows that an import rejected are.
#[derive(Debug, thiserror::Error)]
#[error("the rejected rows, with their lines and reasons, are in {0}")]
pub struct RejectedRows(pub(super) PathBuf);
