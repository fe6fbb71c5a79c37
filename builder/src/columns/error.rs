//! Errors in column maps and errors in matching columns without a map.

use std::path::PathBuf;

use thiserror::Error;

use super::dates::DateForm;
use crate::rows::{Dialect, quoted};

/// An error in a column map or a mismatch between a map and a file.
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
    #[error("columns.{0} must be a single column, because only text values can be joined")]
    JoinedValue(String),
    #[error("columns.{target} names column {} twice", quoted(column))]
    ColumnTwice { target: String, column: String },
    #[error("constants.{0} must be a single value")]
    NoConstant(String),
    #[error("{0} is both in columns and in constants; remove it from one of them")]
    ColumnAndConstant(String),
    #[error("values.{0} requires columns.{0}, which is missing")]
    ValuesOfNoColumn(String),
    #[error("unknown target {}; the targets are {}", quoted(target), targets.join(", "))]
    UnknownTarget { target: String, targets: Vec<&'static str> },
    #[error("values.{target}.{} must be a single value", quoted(text))]
    NoValue { target: String, text: String },
    #[error("values.{target}.{} is listed twice; case, accents, and spaces are ignored", quoted(text))]
    SameValues { target: String, text: String },
    #[error("format.delimiter must be \",\", \";\", \"tab\", or \"|\", got {}", quoted(.0))]
    Delimiter(String),
    #[error("format.size must be \"height first\" or \"width first\", got {}", quoted(.0))]
    SizeOrder(String),
    #[error("format.units must be \"m\", \"cm\", \"ft\", or \"in\", got {}", quoted(.0))]
    Units(String),
    #[error("dates.{0} is allowed only if {0} is a date and columns.{0} is set")]
    DateOfNoColumn(String),
    #[error(
        "dates.{target} must consist of a year, a month, and a day, as in MM/DD/YYYY, got {}",
        quoted(form)
    )]
    DateForm { target: String, form: String },
    #[error("format: a comma cannot be both the delimiter and the decimal separator")]
    CommaTwice,
    #[error("modelled.vintage must be a calendar date (YYYY-MM-DD)")]
    NoVintage,
    #[error("modelled.fields: unknown field {}; write a field path such as weekly_impressions", quoted(.0))]
    UnknownField(String),
    #[error("the column map must contain a column or a constant for {0}")]
    Unmapped(String),
    #[error(
        "the first row lacks columns that the map names, but row {row} has all of them; delete the \
         rows above it, or set header_row = {row} in the source's entry"
    )]
    Header { row: u64 },
    #[error("there is no column {targets}; if the column has a different name, write a column map")]
    NoColumnOf { targets: String },
    #[error(
        "there is no column {} for {target}; the columns are {}{}",
        quoted(column),
        quoted_all(columns),
        if *is_explicit { "" } else { "; if the column has a different name, write a column map" }
    )]
    NoColumn { column: String, target: &'static str, columns: Vec<String>, is_explicit: bool },
}

fn quoted_all(columns: &[String]) -> String {
    columns.iter().map(|name| quoted(name)).collect::<Vec<String>>().join(", ")
}

/// The error for a file whose columns can't be matched without a column map.
#[derive(Debug, Error)]
#[error("{}: {}{}", .file, joined(.faults), remedy(.file, .dialect, .option, .faults))]
pub struct MatchError {
    pub(super) file: String,
    pub(super) dialect: Dialect,
    /// The option of `marquee release propose-map` that selects this kind of record.
    pub(super) option: &'static str,
    pub(super) faults: Vec<MatchFault>,
}

/// A problem with matching columns.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchFault {
    #[error("columns {} could each be {target}", quoted_all(columns))]
    Ambiguous { target: &'static str, columns: Vec<String> },
    #[error("no column looks like {0}")]
    Missing(String),
    #[error(
        "column {} could be {target}, but some of its values, such as {}, can't be read",
        quoted(column),
        quoted(example)
    )]
    Unreadable { target: &'static str, column: String, example: String },
    #[error(
        "the first row doesn't look like a header, but row {row} does; delete the rows above it, or set \
         header_row = {row} in the source's entry"
    )]
    Header { row: u64 },
    #[error("the dates in column {} could be {}", quoted(column), alternatives(forms))]
    Dates { target: &'static str, column: String, forms: Vec<DateForm> },
    #[error("the numbers in column {} could be feet or inches", quoted(column))]
    Units { column: String },
    #[error("the names of the size columns contain several units: {}", .0.join(", "))]
    SeveralUnits(Vec<&'static str>),
}

impl MatchError {
    /// Returns all problems with matching the columns.
    pub fn faults(&self) -> &[MatchFault] {
        &self.faults
    }
}

impl MatchFault {
    /// Returns the target for which the user must choose a column.
    pub(super) fn target(&self) -> Option<&'static str> {
        match self {
            Self::Ambiguous { target, .. } => Some(target),
            Self::Missing(_)
            | Self::Unreadable { .. }
            | Self::Header { .. }
            | Self::Dates { .. }
            | Self::Units { .. }
            | Self::SeveralUnits(_) => None,
        }
    }
}

/// Returns advice to run the command that proposes a map. Returns an empty string if the header is in a row
/// other than the expected one, because a map wouldn't help.
fn remedy(file: &str, dialect: &Dialect, option: &str, faults: &[MatchFault]) -> String {
    if let [MatchFault::Header { .. }] = faults {
        return String::new();
    }
    let Dialect { sheet, header_row, delimiter: _ } = dialect;
    let sheet = sheet.as_deref().map_or_else(String::new, |sheet| format!(" --sheet {}", shell_word(sheet)));
    let row = header_row.map_or_else(String::new, |row| format!(" --header-row {row}"));
    let file = shell_word(file);
    format!(
        "; to get a column map that you can correct, run `marquee release propose-map \
         {file}{option}{sheet}{row}`"
    )
}

fn joined(faults: &[MatchFault]) -> String {
    faults.iter().map(MatchFault::to_string).collect::<Vec<String>>().join("; ")
}

fn alternatives(forms: &[DateForm]) -> String {
    forms.iter().map(DateForm::text).collect::<Vec<&str>>().join(" or ")
}

/// Quotes a command-line argument for the shell if necessary.
fn shell_word(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
