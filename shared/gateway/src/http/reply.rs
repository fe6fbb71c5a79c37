//! The successful responses that handlers return.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use provenance::{Provenance, RecordSource};
use serde::Serialize;

use super::content_type::ContentType;
use super::entity_tags::EntityTags;
use super::warnings::Warnings;
use crate::error::ApiError;
use crate::input::Violations;

/// The `Cache-Control` value for responses that contain a secret.
const NOT_STORED: HeaderValue = HeaderValue::from_static("no-store");

/// A page's position within a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pagination {
    /// The `cursor` parameter of the next page. Null on the last page.
    pub cursor: Option<String>,
    /// Whether there are more pages.
    pub has_more: bool,
    /// The number of items in the list. In asset lists, only the `state` filter affects it.
    pub total: i64,
    /// The number of assets that match all filters, if known. `None` for other lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_matched: Option<i64>,
}

/// A successful response. An enveloped response contains `data` and, for lists, `pagination`. A flat response
/// contains the data's members at the top level instead. Middleware adds `meta`.
#[derive(Clone, Debug)]
pub struct Reply<T> {
    data: T,
    shape: Shape,
    version: Option<u64>,
    /// The URL of the created resource.
    location: Option<String>,
    has_secret: bool,
    about: About,
}

#[derive(Clone, Debug)]
enum Shape {
    Enveloped(Option<Pagination>),
    Flat,
    /// A flat response that is already serialized to JSON.
    Written(Vec<u8>),
}

/// Metadata that middleware adds to a reply, and options for writing it.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// The figures' provenance. `None` for the organization's own records.
    pub(super) provenance: Option<Provenance>,
    /// The records' sources. Empty if the response doesn't contain records with sources.
    pub(super) sources: Vec<RecordSource>,
    pub(super) warnings: Option<Warnings>,
    /// The error to return instead if the encoded response is too large.
    pub(super) if_too_large: Option<ApiError>,
    /// The paths of the members that the caller selected. `None` for all members.
    pub(super) columns: Option<Vec<String>>,
}

/// A serialized reply that doesn't contain `meta` yet.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    /// A JSON object or the text of a CSV file.
    pub(super) body: Vec<u8>,
    pub(super) content_type: ContentType,
    pub(super) about: About,
}

/// A handler's result. If `content` is set, the body is written from it, and `response` supplies only the
/// status and headers.
pub(super) struct Outcome {
    pub(super) response: Response,
    pub(super) content: Option<Result<Rendered, ApiError>>,
}

/// The content of an outcome. It passes through axum as a response extension.
#[derive(Clone)]
struct Unwritten(Result<Rendered, ApiError>);

/// A successful response without a body (204).
#[derive(Clone, Copy, Debug)]
pub struct NoContent;

impl<T> Reply<T> {
    /// Creates a reply that contains `data`.
    pub fn new(data: T) -> Self {
        Self::of(data, Shape::Enveloped(None))
    }

    /// Creates a reply that contains a page of a list.
    pub fn page(data: T, pagination: Pagination) -> Self {
        Self::of(data, Shape::Enveloped(Some(pagination)))
    }

    /// Creates a flat reply, with the members of `data` at the top level next to `meta`. `data` must
    /// serialize to an object.
    pub fn flat(data: T) -> Self {
        Self::of(data, Shape::Flat)
    }

    /// Sets the resource's version, which is sent as a strong entity tag.
    pub fn with_version(self, version: u64) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Sets the URL of the created resource.
    pub fn with_location(self, url: String) -> Self {
        Self { location: Some(url), ..self }
    }

    /// Marks the response as containing a secret, so that caches don't store it.
    pub fn with_secret(self) -> Self {
        Self { has_secret: true, ..self }
    }

    /// Sets the provenance. The default describes the organization's own records.
    pub fn with_provenance(self, provenance: Provenance) -> Self {
        Self { about: About { provenance: Some(provenance), ..self.about }, ..self }
    }

    /// Sets the sources of the records in the response.
    pub fn with_sources(self, sources: Vec<RecordSource>) -> Self {
        Self { about: About { sources, ..self.about }, ..self }
    }

    /// Adds warnings. The list may be empty.
    pub fn with_warnings(self, warnings: Warnings) -> Self {
        Self { about: About { warnings: Some(warnings), ..self.about }, ..self }
    }

    /// Sets the error to return if the response exceeds Lambda's 6 MB limit.
    pub fn or_too_large(self, error: impl Into<ApiError>) -> Self {
        Self { about: About { if_too_large: Some(error.into()), ..self.about }, ..self }
    }

    /// Sets the paths of the members that the caller selected. A file contains only these columns.
    pub fn with_columns(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let columns = Some(paths.into_iter().map(Into::into).collect());
        Self { about: About { columns, ..self.about }, ..self }
    }

    fn of(data: T, shape: Shape) -> Self {
        Self { data, shape, version: None, location: None, has_secret: false, about: About::default() }
    }
}

impl Reply<()> {
    /// Creates a flat reply from a serialized JSON object.
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
    /// Creates an outcome from a handler's response and takes the content out of the response's extensions.
    pub(super) fn of(mut response: Response) -> Self {
        let content = response.extensions_mut().remove().map(|Unwritten(content)| content);
        Self { response, content }
    }

    /// Returns a 304 without a body if this is a successful read and the client already has this version.
    pub(super) fn unless_known(mut self, known: Option<&EntityTags>) -> Self {
        let tag = self.response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
        let is_known = known.zip(tag).is_some_and(|(known, tag)| known.match_weakly(tag));
        if is_known && self.response.status() == StatusCode::OK {
            *self.response.status_mut() = StatusCode::NOT_MODIFIED;
            *self.response.body_mut() = Body::empty();
            self.content = None;
        }
        self
    }
}

impl From<ApiError> for Outcome {
    fn from(error: ApiError) -> Self {
        Self::of(error.into_response())
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let Self { data, shape, version, location, has_secret, about } = self;
        let Ok(body) = Self::json(&data, shape) else {
            return ApiError::internal().into_response();
        };
        let rendered = Rendered { body, content_type: ContentType::Json, about };
        let mut response = unwritten(StatusCode::OK, version, Ok(rendered));
        let location = location.and_then(|url| HeaderValue::try_from(url).ok());
        response.headers_mut().extend(location.map(|url| (header::LOCATION, url)));
        response.headers_mut().extend(has_secret.then_some((header::CACHE_CONTROL, NOT_STORED)));
        response
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

/// Creates a response that carries its content as an extension. Middleware writes the body later, because
/// handlers don't have access to the receipt.
fn unwritten(status: StatusCode, version: Option<u64>, content: Result<Rendered, ApiError>) -> Response {
    let mut response = status.into_response();
    if let Some(version) = version {
        let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("a quoted number is visible ASCII");
        response.headers_mut().insert(header::ETAG, tag);
    }
    response.extensions_mut().insert(Unwritten(content));
    response
}

fn flat(json: Vec<u8>) -> Result<Vec<u8>, serde_json::Error> {
    let is_object = json.first() == Some(&b'{');
    let not_flat = || serde::ser::Error::custom("a flat response must be an object");
    if is_object { Ok(json) } else { Err(not_flat()) }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
