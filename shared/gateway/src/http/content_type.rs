//! The content types of responses.

use http::HeaderValue;

/// The content type of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    /// The complete response as JSON.
    Json,
    /// The rows as CSV with a header row (RFC 4180).
    Csv,
    /// The rows as GeoJSON points (RFC 7946).
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

    /// Returns the file extension.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
        }
    }
}
