//! The content types of responses.

use http::HeaderValue;

/// The content type of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    /// JSON: the complete response.
    Json,
    /// CSV (RFC 4180): the rows of the response's table, after a header row.
    Csv,
    /// GeoJSON (RFC 7946): the rows of the response's table as points.
    GeoJson,
}

impl ContentType {
    /// Returns the media type, without parameters.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::GeoJson => "application/geo+json",
        }
    }

    /// Returns the value of the `Content-Type` header.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json | Self::GeoJson => self.name(),
            Self::Csv => "text/csv; charset=utf-8; header=present",
        })
    }

    /// Returns the extension of the file's name, without a dot.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
        }
    }
}
