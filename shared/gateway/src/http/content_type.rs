//! The types of content in which an answer can be had.

use http::HeaderValue;

/// What the body of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    /// The answer itself.
    Json,
    /// Its rows, under the names of their columns (RFC 4180).
    Csv,
    /// Its rows as points (RFC 7946).
    GeoJson,
}

impl ContentType {
    /// Returns the name, without parameters.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::GeoJson => "application/geo+json",
        }
    }

    /// Returns the header that says so.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json | Self::GeoJson => self.name(),
            Self::Csv => "text/csv; charset=utf-8; header=present",
        })
    }

    /// Returns what the name of a file ends with.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
        }
    }
}
