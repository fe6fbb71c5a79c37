//! Errors of column maps.

use std::path::PathBuf;

use thiserror::Error;

use crate::rows::quoted;

/// What is wrong with a column map, or with a file that it does not fit.
#[derive(Debug, Error)]
pub enum MapError {
    #[error("{}: {source}", file.display())]
    InFile { file: PathBuf, source: Box<Self> },
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("{}", .0.to_string().trim_end())]
    Form(#[from] toml::de::Error),
    #[error("columns.{0} must be the name of a column, in quotes")]
    NoColumnName(String),
    #[error("columns.{0} must be a single column, because only texts can be joined")]
    JoinedValue(String),
    #[error("columns.{target} names the column {} twice", quoted(column))]
    ColumnTwice { target: String, column: String },
    #[error("constants.{0} must be a single value")]
    NoConstant(String),
    #[error("{0} is both in columns and in constants; leave one of them out")]
    ColumnAndConstant(String),
    #[error("values.{0} changes the texts of a column, but columns.{0} is not there")]
    ValuesOfNoColumn(String),
    #[error("there is no target {}; there are {}", quoted(target), targets.join(", "))]
    UnknownTarget { target: String, targets: Vec<&'static str> },
    #[error("values.{target}.{} must be a single value", quoted(text))]
    NoValue { target: String, text: String },
    #[error("values.{target}.{} is there twice: case, accents and space make no difference", quoted(text))]
    SameValues { target: String, text: String },
    #[error("format.delimiter {} is none of \",\", \";\", \"tab\" and \"|\"", quoted(.0))]
    Delimiter(String),
    #[error("format.size {} must be \"height first\" or \"width first\"", quoted(.0))]
    SizeOrder(String),
    #[error("format.units {} must be \"m\", \"cm\", \"ft\", or \"in\"", quoted(.0))]
    Units(String),
    #[error("dates.{0} needs a target that is a date and has a column")]
    DateOfNoColumn(String),
    #[error("dates.{target} {} must consist of a year, a month, and a day, as in MM/DD/YYYY", quoted(form))]
    DateForm { target: String, form: String },
    #[error("format: a comma cannot be both the delimiter and the decimal comma")]
    CommaTwice,
    #[error("modelled.vintage must be a date YYYY-MM-DD")]
    NoVintage,
    #[error("the column map must say where {0} comes from")]
    Unmapped(String),
    #[error("there is no column {targets}; a column map can name one")]
    NoColumnOf { targets: String },
    #[error(
        "there is no column {} for {target}; the columns are {}{}",
        quoted(column),
        quoted_all(columns),
        if *is_explicit { "" } else { "; a column map can name one" }
    )]
    NoColumn { column: String, target: &'static str, columns: Vec<String>, is_explicit: bool },
}

fn quoted_all(columns: &[String]) -> String {
    let named = columns.iter().filter(|name| !name.is_empty());
    named.map(|name| quoted(name)).collect::<Vec<String>>().join(", ")
}
