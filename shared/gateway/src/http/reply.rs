//! Successful answers, as handlers make them.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use provenance::{Provenance, RecordSource};
use serde::Serialize;

use super::content_type::ContentType;
use super::entity_tag::entity_tag;
use super::error::ApiError;
use super::warnings::Warnings;

/// Where a list goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pagination {
    /// Pass it back as `cursor`; null when there is no further page.
    pub cursor: Option<String>,
    /// Whether there is a further page.
    pub has_more: bool,
    /// How many there are in all.
    pub total: i64,
}

/// A successful answer: `data`, with `pagination` for lists, or members of its own. The admission middleware
/// adds `meta`.
#[derive(Clone, Debug)]
pub struct Reply<T> {
    data: T,
    shape: Shape,
    version: Option<u64>,
    provenance: Option<Provenance>,
    sources: Vec<RecordSource>,
    warnings: Option<Warnings>,
    if_too_large: Option<ApiError>,
    columns: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Shape {
    Enveloped(Option<Pagination>),
    Flat,
    /// A flat answer that is JSON already.
    Written(Vec<u8>),
}

/// A reply on its way to the middleware that adds `meta`.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    /// The body, a JSON object that lacks `meta` unless it is CSV.
    pub(super) body: Vec<u8>,
    pub(super) content_type: ContentType,
    /// The paths of the members that the caller chose of each row.
    pub(super) columns: Option<Vec<String>>,
    pub(super) provenance: Option<Provenance>,
    /// Whose the records of the answer are; none where it shows no records.
    pub(super) sources: Vec<RecordSource>,
    pub(super) warnings: Option<Warnings>,
}

/// What to answer in place of a reply that does not fit. How large a reply is shows when it is complete and
/// encoded.
#[derive(Clone, Debug)]
pub(super) struct IfTooLarge(pub(super) ApiError);

/// A successful answer without a body.
#[derive(Clone, Copy, Debug)]
pub struct NoContent;

impl<T> Reply<T> {
    /// Answers with data.
    pub fn new(data: T) -> Self {
        Self::of(data, Shape::Enveloped(None))
    }

    /// Answers with a page of a list.
    pub fn page(data: T, pagination: Pagination) -> Self {
        Self::of(data, Shape::Enveloped(Some(pagination)))
    }

    /// Answers in a shape without `data`, whose members stand beside `meta`: the data must be an
    /// object.
    pub fn flat(data: T) -> Self {
        Self::of(data, Shape::Flat)
    }

    /// Adds the version of what is answered, as its strong entity tag.
    pub fn with_version(self, version: u64) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Says where the answer comes from, in place of the organization's own records.
    pub fn with_provenance(self, provenance: Provenance) -> Self {
        Self { provenance: Some(provenance), ..self }
    }

    /// Says whose the records of the answer are.
    pub fn with_sources(self, sources: Vec<RecordSource>) -> Self {
        Self { sources, ..self }
    }

    /// Adds what the caller should know of what was done, or that there is nothing.
    pub fn with_warnings(self, warnings: Warnings) -> Self {
        Self { warnings: Some(warnings), ..self }
    }

    /// Says what to answer instead when the answer would not fit into Lambda's 6 MB.
    pub fn or_too_large(self, error: impl Into<ApiError>) -> Self {
        Self { if_too_large: Some(error.into()), ..self }
    }

    /// Says which members the caller chose of each row, by their paths, so that a file has columns for these
    /// alone.
    pub fn with_columns(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { columns: Some(paths.into_iter().map(Into::into).collect()), ..self }
    }

    fn of(data: T, shape: Shape) -> Self {
        Self {
            data,
            shape,
            version: None,
            provenance: None,
            sources: Vec::new(),
            warnings: None,
            if_too_large: None,
            columns: None,
        }
    }
}

impl Reply<()> {
    /// Answers with a JSON object that is written already, whose members stand beside `meta`.
    pub fn written(json: Vec<u8>) -> Self {
        Self::of((), Shape::Written(json))
    }
}

impl<T: Serialize> Reply<T> {
    fn json(data: &T, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        let pagination = match shape {
            Shape::Enveloped(pagination) => pagination,
            Shape::Flat => return flat(serde_json::to_vec(data)?),
            Shape::Written(json) => return flat(json),
        };
        let mut json = b"{\"data\":".to_vec();
        serde_json::to_writer(&mut json, data)?;
        if let Some(pagination) = pagination {
            json.extend_from_slice(b",\"pagination\":");
            serde_json::to_writer(&mut json, &pagination)?;
        }
        json.push(b'}');
        Ok(json)
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let Ok(body) = Self::json(&self.data, self.shape) else {
            return ApiError::internal().into_response();
        };
        let mut response = Response::new(Body::empty());
        if let Some(version) = self.version {
            response.headers_mut().insert(header::ETAG, entity_tag(version));
        }
        if let Some(error) = self.if_too_large {
            response.extensions_mut().insert(IfTooLarge(error));
        }
        response.extensions_mut().insert(Rendered {
            body,
            content_type: ContentType::Json,
            columns: self.columns,
            provenance: self.provenance,
            sources: self.sources,
            warnings: self.warnings,
        });
        response
    }
}

fn flat(json: Vec<u8>) -> Result<Vec<u8>, serde_json::Error> {
    let is_object = json.first() == Some(&b'{');
    let not_flat = || serde::ser::Error::custom("a flat answer must be an object");
    if is_object { Ok(json) } else { Err(not_flat()) }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
