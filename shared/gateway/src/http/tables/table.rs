//! The description of the table in a route's response.

use crate::http::content_type::ContentType;

/// The table in a route's response, with the paths of its rows and columns. The names in a path are separated
/// by dots.
///
/// A route with a table also serves it as CSV, and as GeoJSON if it has a `feature`.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The file name without extension: `markets` for `markets.csv`.
    pub name: &'static str,
    /// The path of the list of rows in the response.
    pub rows: &'static str,
    /// The path of the total number of rows on all pages, or `None` if there is only one page.
    pub total: Option<&'static str>,
    /// The members of a row, in the order of its schema in openapi.yaml. Each member of a nested object is a
    /// column, and a list is a single column.
    pub columns: fn() -> Vec<&'static str>,
    /// How to show a row on a map, for rows with positions.
    pub feature: Option<Feature>,
}

/// How to convert a row to a GeoJSON feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The path of the row's ID.
    pub id: &'static str,
    /// The path of the row's position.
    pub point: PointMembers,
    /// The members that only describe the position. They are omitted from the feature's properties.
    pub position: &'static [&'static str],
}

/// The paths of a row's longitude and latitude, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMembers {
    /// A list of longitude and latitude.
    Pair(&'static str),
    /// Two separate members.
    Each { longitude: &'static str, latitude: &'static str },
}

impl Table {
    /// Returns the available formats of the response. The first one is the default.
    pub(super) fn content_types(&self) -> &'static [ContentType] {
        match self.feature {
            Some(_) => &[ContentType::Json, ContentType::Csv, ContentType::GeoJson],
            None => &[ContentType::Json, ContentType::Csv],
        }
    }

    /// Returns the columns that match the caller's selection, or all columns without a selection.
    pub(super) fn columns_of(&self, chosen: Option<&[String]>) -> Vec<&'static str> {
        let mut columns = (self.columns)();
        if let Some(chosen) = chosen {
            columns.retain(|column| {
                chosen.iter().any(|path| is_within(column, path) || is_within(path, column))
            });
        }
        columns
    }
}

/// Returns whether a path equals another path or is below it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
