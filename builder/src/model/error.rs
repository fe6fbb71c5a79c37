//! Why the model cannot derive records.

use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use thiserror::Error;

/// Why the model cannot derive records.
#[derive(Debug, Error)]
pub enum ModelError {
    #[error("no ZIP code has people, so nobody can visit a place")]
    NobodyAnywhere,
    #[error("{}: {source}", file.display())]
    Parameters { file: PathBuf, source: ParameterError },
    #[error(transparent)]
    Write(#[from] MeasuresWriteError),
}

/// What is wrong with the file of the types of places.
#[derive(Debug, Error)]
pub enum ParameterError {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    #[error("{place_type}: {field}: {value} is not from {least} to {most}")]
    Range { place_type: String, field: &'static str, value: f64, least: f64, most: f64 },
    #[error("{place_type}: {field}: all are 0; one must be more")]
    AllZero { place_type: String, field: &'static str },
}
