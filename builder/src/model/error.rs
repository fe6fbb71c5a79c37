//! Errors in the visit model and its parameters.

use std::path::PathBuf;

use dataset::measures::MeasuresWriteError;
use thiserror::Error;

/// The error for inputs from which the model can't estimate visits.
#[derive(Debug, Error)]
pub enum ModelError {
    #[error("no ZIP code has residents, so the model cannot estimate visits")]
    NoResidents,
    #[error("{}: {source}", file.display())]
    Parameters { file: PathBuf, source: ParameterError },
    #[error(transparent)]
    Write(#[from] MeasuresWriteError),
}

/// The error for an unreadable or invalid parameter file for place types or brands.
#[derive(Debug, Error)]
pub enum ParameterError {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    #[error("{name}: {field}: must be from {least} to {most}, got {value}")]
    Range { name: String, field: &'static str, value: f64, least: f64, most: f64 },
    #[error("{name}: {field}: at least one value must be greater than 0")]
    AllZero { name: String, field: &'static str },
    #[error("{name}: {field}: must not be empty")]
    Empty { name: String, field: &'static str },
    #[error("{name}: closed: at least one day must be open")]
    NeverOpen { name: String },
}
