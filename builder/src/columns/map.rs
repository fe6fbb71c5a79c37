//! Column maps, which assign a file's columns to targets.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dataset::inventory::FieldSet;
use dataset::normalize;

use super::dates::DateForm;
use super::error::MapError;
use super::map_file;
use super::target::{Required, Target, is_placeholder};
use super::unit::Unit;
use crate::rows::{NotSingle, RowReader, SourceRow};

/// For each target, the columns or the constant that supply its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMap {
    pub(super) sources: BTreeMap<&'static str, Mapped>,
    /// For each target, the replacements for values in its column, by normalized value.
    pub(super) values: BTreeMap<&'static str, BTreeMap<String, String>>,
    /// The vintage of modelled values, as `YYYYMMDD`.
    pub(super) modelled: Option<String>,
    /// The mapped fields whose values are modelled or assumed rather than known.
    pub(super) assumed: FieldSet,
    /// Whether records contain blank values for members that their rows don't contain.
    pub(super) fills_blanks: bool,
    /// The delimiter of a CSV file. If `None`, it's detected.
    pub(super) delimiter: Option<u8>,
    pub(super) notation: Notation,
    /// `true` if the map was written by hand or created by matching columns. If `false`, the map assigns each
    /// target to the column with the target's name, and files don't need to contain all of these columns.
    pub(super) is_explicit: bool,
}

/// The notation for numbers, sizes, and dates in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notation {
    /// Whether numbers use a decimal comma.
    pub(crate) has_decimal_commas: bool,
    /// Whether sizes start with the width.
    pub(crate) is_width_first: bool,
    /// The unit for heights, widths, and sizes that don't specify one.
    pub(crate) units: Option<Unit>,
    /// The date formats for targets whose dates aren't written as `YYYY-MM-DD`.
    pub(crate) dates: BTreeMap<&'static str, DateForm>,
}

/// The origin of a target's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapped {
    pub(super) source: Source,
    /// Whether the target accepts arbitrary text. For other targets, a placeholder such as `n/a` counts as a
    /// missing value.
    pub(super) is_text: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// One or more columns, whose values are joined with spaces.
    Columns(Vec<String>),
    Constant(String),
}

impl ColumnMap {
    /// Maps each target to the column with the same name.
    pub fn own_names(targets: &'static [Target]) -> Self {
        let own = |target: &'static Target| {
            let source = Source::Columns(vec![target.name.to_owned()]);
            (target.name, Mapped { source, is_text: target.form.is_text() })
        };
        Self { is_explicit: false, ..Self::of(targets.iter().map(own).collect()) }
    }

    pub(super) fn of(sources: BTreeMap<&'static str, Mapped>) -> Self {
        Self {
            sources,
            values: BTreeMap::new(),
            modelled: None,
            assumed: FieldSet::NONE,
            fills_blanks: false,
            delimiter: None,
            notation: Notation::default(),
            is_explicit: true,
        }
    }

    /// Reads a map from a file.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read or isn't a valid map for these targets.
    pub fn read(path: &Path, targets: &'static [Target]) -> Result<Self, MapError> {
        let text = std::fs::read_to_string(path).map_err(MapError::from);
        let map = text.and_then(|text| Self::parse(&text, targets));
        map.map_err(|source| MapError::InFile { file: path.to_owned(), source: source.into() })
    }

    /// Parses a map, which is a TOML file with these tables: `columns` and `constants` assign columns or
    /// constants to targets, `values` replaces values in a target's column, `dates` contains date formats for
    /// targets, `modelled` requests modelled values with a vintage, and `format` describes the file's
    /// notation.
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a TOML file with these tables, or if it contains an invalid value, an unknown
    /// target, a target with both a column and a constant, a duplicate column in a list, or a table for a
    /// target without a column.
    pub fn parse(text: &str, targets: &'static [Target]) -> Result<Self, MapError> {
        map_file::parse(text, targets)
    }

    /// Checks that a file's header contains the map's columns.
    ///
    /// # Errors
    ///
    /// Fails if a column in the map is missing from the file's header, or if a required target has no column
    /// or constant. In GeoJSON, coordinates are required only if the map contains one of them.
    pub fn check(&self, file: &RowReader<'_>, required: &[Required]) -> Result<(), MapError> {
        if let Some(header) = file.header() {
            self.check_header(header, required)?;
        }
        let maps_coordinates =
            required.iter().any(|required| required.is_coordinate && self.names(required.target));
        let has_coordinates = file.has_positions() && !maps_coordinates;
        let is_missing = |required: &&Required| {
            let is_elsewhere = required.is_coordinate && has_coordinates;
            !is_elsewhere && !self.sources.contains_key(required.target)
        };
        match required.iter().find(is_missing) {
            Some(Required { target, .. }) => Err(MapError::Unmapped((*target).to_owned())),
            None => Ok(()),
        }
    }

    /// Returns [`MapError::Header`] if a row below the assumed header contains all of the map's columns.
    /// Otherwise, returns `error`.
    pub(crate) fn explain(&self, file: &mut RowReader<'_>, error: MapError) -> MapError {
        let columns: BTreeSet<&String> = self.columns().map(|(_, column)| column).collect();
        let score = |cells: &[String]| columns.iter().filter(|column| cells.contains(column)).count();
        match file.likely_header(score, columns.len()) {
            Ok(Some(row)) => MapError::Header { row },
            _ => error,
        }
    }

    /// Checks that a file supplies at least one of several targets.
    ///
    /// # Errors
    ///
    /// Fails if none of the targets is mapped to a constant or to columns that the file contains.
    pub fn check_any(&self, file: &RowReader<'_>, targets: &[&'static str]) -> Result<(), MapError> {
        let leads = |target: &&str| match (self.sources.get(*target), file.header()) {
            (Some(Mapped { source: Source::Columns(columns), .. }), Some(header)) => {
                columns.iter().all(|column| header.contains(column))
            }
            (mapped, _) => mapped.is_some(),
        };
        if targets.iter().any(leads) {
            return Ok(());
        }
        let targets = targets.join(" or ");
        Err(if self.is_explicit { MapError::Unmapped(targets) } else { MapError::NoColumnOf { targets } })
    }

    /// Returns the vintage of modelled values, as `YYYYMMDD`, or `None` if no values are modelled.
    pub fn modelled(&self) -> Option<&str> {
        self.modelled.as_deref()
    }

    /// Returns the mapped fields whose values are modelled or assumed rather than known.
    pub fn assumed(&self) -> FieldSet {
        self.assumed
    }

    /// Returns whether records contain blank values for members that their rows don't contain.
    pub fn fills_blanks(&self) -> bool {
        self.fills_blanks
    }

    /// Returns the delimiter of a CSV file, or `None` if it must be detected.
    pub fn delimiter(&self) -> Option<u8> {
        self.delimiter
    }

    pub(crate) fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Replaces decimal commas with points if the file uses decimal commas.
    pub(crate) fn number(&self, text: String) -> String {
        if self.notation.has_decimal_commas { text.replace(',', ".") } else { text }
    }

    /// Returns whether the map sets a target to the same value in every row.
    pub fn is_constant(&self, target: &str) -> bool {
        matches!(self.sources.get(target), Some(Mapped { source: Source::Constant(_), .. }))
    }

    /// Returns whether the map explicitly assigns a column or constant to the target. Returns `false` for
    /// maps created by [`Self::own_names`].
    pub fn names(&self, target: &str) -> bool {
        self.is_explicit && self.sources.contains_key(target)
    }

    /// Returns the given columns that the map doesn't use, in their original order.
    pub fn unread(&self, columns: &[String]) -> Vec<String> {
        let used: BTreeSet<&String> = self.columns().map(|(_, column)| column).collect();
        columns.iter().filter(|column| !used.contains(column)).cloned().collect()
    }

    /// Returns the map's columns that aren't among the given ones, each with its target. In a file without a
    /// header, some columns may not be known until the last row has been read.
    pub fn absent(&self, columns: &[String]) -> Vec<(&'static str, String)> {
        let columns: BTreeSet<&String> = columns.iter().collect();
        let absent = self.columns().filter(|(_, column)| self.is_explicit && !columns.contains(column));
        absent.map(|(target, column)| (target, column.clone())).collect()
    }

    /// Returns a target's value, without surrounding white space. Returns `None` if it's missing.
    ///
    /// # Errors
    ///
    /// Fails if the row's field contains an object or a list.
    pub fn value<'a>(&'a self, row: &'a SourceRow, target: &str) -> Result<Option<Cow<'a, str>>, NotSingle> {
        let Some(Mapped { source, is_text }) = self.sources.get(target) else { return Ok(None) };
        let text = match source {
            Source::Columns(columns) => joined(row, columns)?,
            Source::Constant(text) => return Ok((!text.is_empty()).then_some(Cow::Borrowed(text))),
        };
        Ok(text.and_then(|text| self.replaced(target, text, *is_text)))
    }

    /// Replaces a column's value if the map contains a replacement for it. Returns `None` if the replacement
    /// is empty, or if the value is a placeholder such as `n/a` and the target doesn't accept arbitrary text.
    fn replaced<'a>(&'a self, target: &str, text: Cow<'a, str>, is_text: bool) -> Option<Cow<'a, str>> {
        match self.values.get(target).and_then(|table| table.get(&normalize(&text))) {
            Some(other) => (!other.is_empty()).then_some(Cow::Borrowed(other)),
            None => (is_text || !is_placeholder(&text)).then_some(text),
        }
    }

    fn columns(&self) -> impl Iterator<Item = (&'static str, &String)> {
        self.sources.iter().flat_map(|(target, mapped)| {
            let columns = match &mapped.source {
                Source::Columns(columns) => columns.as_slice(),
                Source::Constant(_) => &[],
            };
            columns.iter().map(|column| (*target, column))
        })
    }

    fn check_header(&self, header: &[String], required: &[Required]) -> Result<(), MapError> {
        for (target, column) in self.columns() {
            let is_needed = self.is_explicit || required.iter().any(|required| required.target == target);
            if is_needed && !header.contains(column) {
                return Err(MapError::NoColumn {
                    column: column.clone(),
                    target,
                    columns: header.to_vec(),
                    is_explicit: self.is_explicit,
                });
            }
        }
        Ok(())
    }
}

fn joined<'a>(row: &'a SourceRow, columns: &[String]) -> Result<Option<Cow<'a, str>>, NotSingle> {
    if let [column] = columns {
        return row.text(column);
    }
    let mut texts = Vec::new();
    for column in columns {
        texts.extend(row.text(column)?);
    }
    Ok((!texts.is_empty()).then(|| Cow::Owned(texts.join(" "))))
}
