//! The forms in which an answer can be had (RFC 9110, section 3.2).

use http::HeaderValue;

/// A form in which an answer can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Representation {
    /// The answer itself.
    Json,
    /// Its rows, under the names of their columns (RFC 4180).
    Csv,
    /// Its rows as points (RFC 7946).
    GeoJson,
}

impl Representation {
    /// Returns the media type, without parameters.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::GeoJson => "application/geo+json",
        }
    }

    pub(super) fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json | Self::GeoJson => self.media_type(),
            Self::Csv => "text/csv; charset=utf-8; header=present",
        })
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::GeoJson => "geojson",
        }
    }
}
