//! Warnings about sources, for the administrator.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rows::{Windows1252, quoted};

/// A warning about a source. The build continues.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
pub enum Notice {
    #[error(
        "{}: lines (features, in GeoJSON) that aren't valid UTF-8 and were read as Windows-1252: {}; \
         the first is number {}; check their accented letters",
        file.display(), lines.count, lines.first
    )]
    Windows1252 { file: PathBuf, lines: Windows1252 },
    #[error(
        "{}: no row has the column {}, which the column map assigns to {target}",
        file.display(), quoted(column)
    )]
    AbsentColumn { file: PathBuf, column: String, target: String },
    #[error("{source_name}: these columns are ignored: {}", quoted_all(columns))]
    UnreadColumns { source_name: String, columns: Vec<String> },
    #[error(
        "{source_name}: places of type {}, which isn't in the sample: {places}{}",
        quoted(name),
        nearest(nearest_name)
    )]
    NewPlaceType { source_name: String, name: String, places: usize, nearest_name: Option<String> },
    #[error(
        "{source_name}: rows whose {member} contradicts their location: {rows}; in the first, {first}, \
         {} is given and {} is derived; the {} value is used",
        quoted(given), derived.as_deref().unwrap_or("no value"), if *is_given_used { "given" } else { "derived" }
    )]
    Contradiction {
        source_name: String,
        member: String,
        rows: u64,
        first: String,
        given: String,
        derived: Option<String>,
        is_given_used: bool,
    },
    #[error(
        "{source_name}: rows whose {target} was discarded: {rows}; the first is {first}: {} {reason}",
        quoted(text)
    )]
    Unkept { source_name: String, target: String, rows: u64, first: String, text: String, reason: String },
    #[error(
        "{}: all {rows} accepted rows are outside the United States; if this is correct, set outside_us = \
         true; otherwise, check the coordinates",
        file.display()
    )]
    AllOutside { file: PathBuf, rows: u64 },
    #[error(
        "{source_name}: records that moved by more than 1 km but keep their IDs: {rows}, such as number {} \
         ({km:.1} km)",
        quoted(number)
    )]
    Moved { source_name: String, rows: usize, number: String, km: f64 },
    #[error(
        "{source_name}: numbers that now identify different records, which have new IDs: {rows}, such as \
         {}, whose record had ID {before}; the new record, {km:.1} km away, has ID {id}",
        quoted(number)
    )]
    Reused { source_name: String, rows: usize, number: String, before: u64, id: u64, km: f64 },
    #[error(
        "{source_name}: rows whose {member} is also used for a different record: {rows}; in the first, \
         {first}, {} is also the number of {other}; each row gets its own record",
        quoted(number)
    )]
    SharedNumber {
        source_name: String,
        member: String,
        rows: usize,
        first: String,
        number: String,
        other: String,
    },
    #[error(
        "{source_name}: places with the same name and address as a place in another source: {places}, such \
         as {one} and {other}"
    )]
    SamePlaces { source_name: String, places: usize, one: u64, other: u64 },
    #[error(
        "{source_name} has no vintage, so {today} is used; set vintage so that later builds produce the same \
         release"
    )]
    NoVintage { source_name: String, today: String },
    #[error("cannot compare with the latest release: {reason}")]
    NotCompared { reason: String },
}

fn quoted_all(columns: &[String]) -> String {
    columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", ")
}

fn nearest(name: &Option<String>) -> String {
    name.as_deref()
        .map_or_else(String::new, |name| format!("; the closest type in the sample is {}", quoted(name)))
}
