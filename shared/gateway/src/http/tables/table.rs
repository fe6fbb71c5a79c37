//! Describes the table that a route's response contains.

use crate::http::content_type::ContentType;

/// The table in a route's response: the paths of its rows and columns. Dots separate the names in a path.
///
/// A route with a table can also return it as CSV and, if there is a `feature`, as GeoJSON.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The file name without its extension, such as `markets` for `markets.csv`.
    pub name: &'static str,
    /// The path of the array of rows in the response.
    pub rows: &'static str,
    /// The path of the list's total, which `X-Total-Count` contains. `None` if there is only one page.
    pub total: Option<&'static str>,
    /// The paths of the columns, in the same order as in the row's schema in openapi.yaml. Each member of a
    /// nested object is a separate column. An array is a single column.
    pub columns: fn() -> Vec<&'static str>,
    /// How to convert rows to GeoJSON. `None` if rows don't have positions.
    pub feature: Option<Feature>,
}

/// How to convert a row to a GeoJSON feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The path of the ID.
    pub id: &'static str,
    /// The path of the position.
    pub point: PointMembers,
    /// The paths of members that only describe the position. They are omitted from the properties of the
    /// feature.
    pub position: &'static [&'static str],
}

/// The paths of the longitude and latitude of a row, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMembers {
    /// One path to an array that contains the longitude and the latitude.
    Pair(&'static str),
    /// Two paths, to the longitude and to the latitude.
    Each { longitude: &'static str, latitude: &'static str },
}

impl Table {
    /// Returns the formats that the response is available in. The first one is the default.
    pub(super) fn content_types(&self) -> &'static [ContentType] {
        match self.feature {
            Some(_) => &[ContentType::Json, ContentType::Csv, ContentType::GeoJson],
            None => &[ContentType::Json, ContentType::Csv],
        }
    }

    /// Returns the columns that the caller selected. If nothing was selected, returns all columns.
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

/// Returns whether `path` equals `outer` or is below it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
