//! Successful answers, as handlers make them.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use provenance::{Provenance, RecordSource};
use serde::Serialize;

use super::content_type::ContentType;
use super::warnings::Warnings;
use crate::error::ApiError;
use crate::input::Violations;

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

/// A successful answer: `data`, with `pagination` for lists, or members of its own. The middleware around
/// handlers adds `meta`.
#[derive(Clone, Debug)]
pub struct Reply<T> {
    data: T,
    shape: Shape,
    version: Option<u64>,
    about: About,
}

#[derive(Clone, Debug)]
enum Shape {
    Enveloped(Option<Pagination>),
    Flat,
    /// A flat answer that is JSON already.
    Written(Vec<u8>),
}

/// What is said of a reply beside its data.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// Where the answer comes from; `None` for the organization's own records.
    pub(super) provenance: Option<Provenance>,
    /// Whose the records of the answer are; none where it shows no records.
    pub(super) sources: Vec<RecordSource>,
    pub(super) warnings: Option<Warnings>,
    /// What to answer in place of a reply that does not fit, which shows when it is complete and encoded.
    pub(super) if_too_large: Option<ApiError>,
    /// The paths of the members that the caller chose of each row.
    pub(super) columns: Option<Vec<String>>,
}

/// A reply whose body lacks `meta`.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    /// A JSON object, unless it is CSV.
    pub(super) body: Vec<u8>,
    pub(super) content_type: ContentType,
    pub(super) about: About,
}

/// What a handler answers with. Only the status and the headers of the response are written, unless there is
/// no content.
pub(super) struct Outcome {
    pub(super) response: Response,
    pub(super) content: Option<Result<Rendered, ApiError>>,
}

/// The content of an outcome, as axum carries it out of a handler.
#[derive(Clone)]
struct Unwritten(Result<Rendered, ApiError>);

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
        Self { about: About { provenance: Some(provenance), ..self.about }, ..self }
    }

    /// Says whose the records of the answer are.
    pub fn with_sources(self, sources: Vec<RecordSource>) -> Self {
        Self { about: About { sources, ..self.about }, ..self }
    }

    /// Adds what the caller should know of what was done, or that there is nothing.
    pub fn with_warnings(self, warnings: Warnings) -> Self {
        Self { about: About { warnings: Some(warnings), ..self.about }, ..self }
    }

    /// Says what to answer instead when the answer would not fit into Lambda's 6 MB.
    pub fn or_too_large(self, error: impl Into<ApiError>) -> Self {
        Self { about: About { if_too_large: Some(error.into()), ..self.about }, ..self }
    }

    /// Says which members the caller chose of each row, by their paths, so that a file has columns for these
    /// alone.
    pub fn with_columns(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let columns = Some(paths.into_iter().map(Into::into).collect());
        Self { about: About { columns, ..self.about }, ..self }
    }

    fn of(data: T, shape: Shape) -> Self {
        Self { data, shape, version: None, about: About::default() }
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

impl Outcome {
    /// Takes the content that a handler has left to be written.
    pub(super) fn of(mut response: Response) -> Self {
        let content = response.extensions_mut().remove().map(|Unwritten(content)| content);
        Self { response, content }
    }
}

impl From<ApiError> for Outcome {
    fn from(error: ApiError) -> Self {
        Self::of(error.into_response())
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let Self { data, shape, version, about } = self;
        let Ok(body) = Self::json(&data, shape) else {
            return ApiError::internal().into_response();
        };
        let rendered = Rendered { body, content_type: ContentType::Json, about };
        unwritten(StatusCode::OK, version, Ok(rendered))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        unwritten(self.code.status(), self.version, Err(self))
    }
}

impl IntoResponse for Violations {
    fn into_response(self) -> Response {
        ApiError::from(self).into_response()
    }
}

/// Leaves content for the middleware around, which knows the request and the product.
fn unwritten(status: StatusCode, version: Option<u64>, content: Result<Rendered, ApiError>) -> Response {
    let mut response = status.into_response();
    if let Some(version) = version {
        // A strong entity tag.
        let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("visible ASCII");
        response.headers_mut().insert(header::ETAG, tag);
    }
    response.extensions_mut().insert(Unwritten(content));
    response
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
