//! What the operator is told when a command on a release fails.

use std::path::PathBuf;

use builder::SynthesizeError;
use builder::import::{ImportError, MapError, RejectsError};
use release_store::Unpublished;

use crate::commands::cloud::CloudError;
use crate::output::OutputError;
use crate::release::FolderError;

/// Why a command on a release failed.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseCommandError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Import(#[from] ImportError),
    /// An import failed after it had rejected rows, which may be why.
    #[error("{source}; {rejected_rows}")]
    ImportWithRejects { source: Box<ImportError>, rejected_rows: RejectedRows },
    #[error(transparent)]
    Rejects(#[from] RejectsError),
    #[error(transparent)]
    Synthesize(#[from] SynthesizeError),
    #[error(transparent)]
    Cloud(#[from] CloudError),
    #[error(transparent)]
    Publish(#[from] Unpublished),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Where the rows that an import rejected are.
#[derive(Debug, thiserror::Error)]
#[error("the rejected rows, with their lines and reasons, are in {}", shown(.0))]
pub struct RejectedRows(Vec<PathBuf>);

impl ReleaseCommandError {
    /// Tells whether an import rejected more rows than it may.
    pub(crate) fn is_too_many_rejects(&self) -> bool {
        match self {
            Self::Import(error) => matches!(error, ImportError::TooManyRejects { .. }),
            Self::ImportWithRejects { source, .. } => matches!(**source, ImportError::TooManyRejects { .. }),
            _ => false,
        }
    }
}

impl RejectedRows {
    /// Takes the files of rejected rows; `None` when there is none.
    pub(super) fn of(files: Vec<PathBuf>) -> Option<Self> {
        (!files.is_empty()).then_some(Self(files))
    }
}

fn shown(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<String>>().join(", ")
}
