//! Errors of the visit model.

use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use thiserror::Error;

/// The reason why the model can't derive records.
#[derive(Debug, Error)]
pub enum ModelError {
    #[error("no ZIP code has residents, so the model cannot derive visits")]
    NoResidents,
    #[error("{}: {source}", file.display())]
    Parameters { file: PathBuf, source: ParameterError },
    #[error(transparent)]
    Write(#[from] MeasuresWriteError),
}

/// The reason why the file of place types is invalid.
#[derive(Debug, Error)]
pub enum ParameterError {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    #[error("{place_type}: {field}: must be from {least} to {most}, got {value}")]
    Range { place_type: String, field: &'static str, value: f64, least: f64, most: f64 },
    #[error("{place_type}: {field}: at least one value must be greater than 0")]
    AllZero { place_type: String, field: &'static str },
}
