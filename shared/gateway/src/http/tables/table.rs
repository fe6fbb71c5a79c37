//! What a route declares of the table in its answer.

use crate::http::content_type::ContentType;

/// The table in a route's answer: where its rows and their columns are. Paths have dots between their names.
///
/// A route that has one in its terms serves it as CSV, and as GeoJSON with a `feature`, beside the JSON that
/// its handler makes.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What its files are called: the `markets` of `markets.csv`.
    pub name: &'static str,
    /// Where in the answer the list of rows is.
    pub rows: &'static str,
    /// Where in the answer the number of rows on all pages is; `None` where one page has them all.
    pub total: Option<&'static str>,
    /// The members of a row, in the order of its schema in openapi.yaml. Those of an object are columns of
    /// their own, a list is one.
    pub columns: fn() -> Vec<&'static str>,
    /// How a row is shown on a map, for rows that have a position.
    pub feature: Option<Feature>,
}

/// How a row becomes a point on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Where in a row its id is.
    pub id: &'static str,
    /// Where in a row its position is.
    pub point: PointMembers,
    /// The members of a row that are of its position alone. Its properties are without them.
    pub position: &'static [&'static str],
}

/// Where in a row its longitude and its latitude are, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMembers {
    /// In a list of the two, in this order.
    Pair(&'static str),
    /// In a member each.
    Each { longitude: &'static str, latitude: &'static str },
}

impl Table {
    /// Returns in which forms the answer can be had, the one first that it has unless another is asked for.
    pub(super) fn content_types(&self) -> &'static [ContentType] {
        match self.feature {
            Some(_) => &[ContentType::Json, ContentType::Csv, ContentType::GeoJson],
            None => &[ContentType::Json, ContentType::Csv],
        }
    }

    /// Returns the columns that rows have of which the caller chose members; all where none were chosen.
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

/// Tells whether a path leads to what another one leads to, or to something in it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
