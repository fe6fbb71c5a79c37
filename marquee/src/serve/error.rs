//! What a developer is told when the local process does not start.

use std::io;
use std::path::PathBuf;

use dataset::ReleaseError;
use portal::PagesError;
use shared::dynamo::StoreError;

use super::provider::IssuerError;
use crate::engine::{DataFolderError, EngineError};
use crate::operator::OperatorError;
use crate::output::OutputError;
use crate::release::FolderError;

/// Why the local process does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("port {port} is taken; stop the program that has it, or choose another with --port")]
    PortTaken { port: u16 },
    #[error("cannot listen on port {port}: {source}")]
    Port { port: u16, source: io::Error },
    #[error("another marquee has {folder}; stop it before you start afresh")]
    FreshInUse { folder: PathBuf },
    #[error(transparent)]
    DataFolder(#[from] DataFolderError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(
        "there is no data release in {0}; `marquee release build --out {0}` makes the sample one there, and \
         without --release it is built and served"
    )]
    NoRelease(PathBuf),
    #[error(
        "the data release in {folder} cannot be used: {source}; to have the sample one in its place: \
         `marquee release build --out {folder}`"
    )]
    Release { folder: PathBuf, source: ReleaseError },
    #[error(transparent)]
    SampleRelease(#[from] FolderError),
    #[error(transparent)]
    Issuer(#[from] IssuerError),
    #[error(transparent)]
    Tables(#[from] StoreError),
    #[error(transparent)]
    Organizations(#[from] OperatorError),
    #[error(transparent)]
    Portal(#[from] PagesError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("cannot wait for Ctrl-C: {0}")]
    StopSignals(#[source] io::Error),
}
