//! Errors that occur when reading files and rows.

use std::io;
use std::num::NonZeroU64;

use thiserror::Error;

use super::json::JsonError;
use super::limits::{CELL_BYTES, ROW_BYTES};
use super::quoted::quoted;

/// An error that makes it impossible to read the rest of a file.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct FileError {
    pub file: String,
    pub fault: FileFault,
}

/// The cause of a [`FileError`].
#[derive(Debug, Error)]
pub enum FileFault {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("the name must end in .csv, .tsv, .tab, .txt, .xlsx, .jsonl, .ndjson, .geojson, or .json")]
    Name,
    #[error("this spreadsheet format isn't supported; save the workbook as .xlsx")]
    OtherSpreadsheet,
    #[error("cannot be read as an .xlsx workbook: {0}; open it in a spreadsheet program and save it again")]
    Workbook(String),
    #[error("is password-protected; save it without a password")]
    Password,
    #[error("several sheets contain data: {}; choose one, as in sheet = {}", all_quoted(.0), quoted(&.0[0]))]
    SeveralSheets(Vec<String>),
    #[error("there is no sheet {}; the sheets are {}", quoted(sheet), all_quoted(sheets))]
    NoSheet { sheet: String, sheets: Vec<String> },
    #[error("only an .xlsx workbook has sheets; remove sheet = {}", quoted(.0))]
    SheetWithoutWorkbook(String),
    #[error("has no row {0}; set header_row to the number of the row that contains the column names")]
    NoHeaderRow(NonZeroU64),
    #[error("only a .csv file or a workbook has a header; remove header_row = {0}")]
    HeaderRowWithoutHeader(NonZeroU64),
    /// The file is empty. The string describes the expected content.
    #[error("is empty; expected {0}")]
    Empty(&'static str),
    #[error("line {line}: the header cannot be read: {fault}")]
    Header { line: u64, fault: HeaderFault },
    #[error("is not a GeoJSON FeatureCollection: {0}; if each line is a JSON object, name the file .jsonl")]
    NoCollection(serde_json::Error),
}

/// The error for an invalid header in a CSV file or a sheet.
#[derive(Debug, Error)]
pub enum HeaderFault {
    #[error(transparent)]
    Row(#[from] RowFault),
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("columns {one} and {other} are both named {}", quoted(name))]
    DuplicateColumns { one: usize, other: usize, name: String },
    #[error(
        "cells {0} are merged; unmerge them and give each column its own name, or set \
             header_row in the source's entry if the names are in another row"
    )]
    Merged(String),
}

/// The error for an unreadable row.
#[derive(Debug, Error)]
pub enum RowFault {
    #[error("the line is longer than {ROW_BYTES} bytes")]
    LineTooLong,
    #[error("the line is not UTF-8")]
    LineNotUtf8,
    #[error("the line is not a JSON object")]
    NoObject,
    #[error("the feature is longer than {ROW_BYTES} bytes")]
    FeatureTooLong,
    #[error("the feature is not UTF-8")]
    FeatureNotUtf8,
    #[error("the item must be a GeoJSON object of type Feature")]
    NoFeature,
    #[error("the feature's properties must be an object or null")]
    Properties,
    #[error("the geometry is a {}, not a Point", quoted(.0))]
    Geometry(String),
    #[error("the geometry has no type")]
    NoGeometryType,
    #[error("the coordinates must be [longitude, latitude]")]
    Coordinates,
    #[error("{} is longer than {CELL_BYTES} bytes", quoted(.0))]
    FieldTooLong(String),
    #[error("{} is not UTF-8", quoted(.0))]
    FieldNotUtf8(String),
    #[error("the row has a different number of cells ({found}) than the header ({expected})")]
    Cells { found: usize, expected: usize },
    #[error("the quote opened on this line is not closed before {0}; double each quote inside a cell")]
    Unclosed(Unclosed),
    #[error("in column {0}, text follows the closing quote; double each quote inside a cell")]
    Misquoted(usize),
    #[error(
        "the formula in cell {0} has no stored value; open the workbook in a spreadsheet program and save it"
    )]
    EmptyFormula(String),
    #[error("cell {cell} contains the error {error}; correct it")]
    ErrorCell { cell: String, error: String },
    #[error("cell {0} is formatted as a date, but its value isn't a date in the years 1900 to 9999")]
    DateCell(String),
    #[error("cells {0} are merged; unmerge them and fill in each cell")]
    Merged(String),
    #[error(transparent)]
    Json(#[from] JsonError),
}

fn all_quoted(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<String>>().join(", ")
}

/// The limit that was reached before finding a closing quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unclosed {
    #[error("the end of the file")]
    File,
    #[error("the cell exceeds {CELL_BYTES} bytes")]
    Cell,
    #[error("the row exceeds {0} cells")]
    Row(usize),
}
