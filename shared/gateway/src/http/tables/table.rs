//! Describes the table in a route's response.

use crate::http::content_type::ContentType;

/// The table in a route's response. In all paths, dots separate the members' names.
///
/// Responses with a table are also available as CSV and, if there is a `feature`, as GeoJSON.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The file name without its extension, such as `markets` for `markets.csv`.
    pub name: &'static str,
    /// The path to the array of rows in the response.
    pub rows: &'static str,
    /// The path to the list's total, which is sent in `X-Total-Count`. `None` if the list has only one page.
    pub total: Option<&'static str>,
    /// The paths to the columns, in the same order as in the row's schema in openapi.yaml. A nested object
    /// has a column for each member, and an array has a single column.
    pub columns: fn() -> Vec<&'static str>,
    /// How to convert rows to GeoJSON. `None` if rows don't have positions.
    pub feature: Option<Feature>,
}

/// How to convert a row to a GeoJSON feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The path to the ID.
    pub id: &'static str,
    /// The path to the position.
    pub point: PointMembers,
    /// The paths to the members that only describe the position, which are omitted from the feature's
    /// properties.
    pub position: &'static [&'static str],
}

/// The paths to a row's longitude and latitude, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMembers {
    /// The path to an array with the longitude and the latitude.
    Pair(&'static str),
    /// Separate paths to the longitude and the latitude.
    Each { longitude: &'static str, latitude: &'static str },
}

impl Table {
    /// Returns the available formats. The first one is the default.
    pub(super) fn content_types(&self) -> &'static [ContentType] {
        match self.feature {
            Some(_) => &[ContentType::Json, ContentType::Csv, ContentType::GeoJson],
            None => &[ContentType::Json, ContentType::Csv],
        }
    }

    /// Returns the columns that the caller selected, or all columns without a selection.
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

/// Returns whether `path` is `outer` or a member within it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
