//! The content types of responses.

use http::HeaderValue;

/// A format that a response body can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    /// JSON, with the complete response.
    Json,
    /// CSV (RFC 4180), with a header row and the rows of the response's table.
    Csv,
    /// GeoJSON (RFC 7946), with the rows of the response's table as points.
    GeoJson,
}

impl ContentType {
    /// Returns the media type without parameters.
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

    /// Returns the file name extension without a dot.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
        }
    }
}
