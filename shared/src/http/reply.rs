use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use super::ApiError;

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

/// A successful answer: `data`, with `pagination` for lists. The layer around adds `meta`.
#[derive(Clone, Debug)]
pub struct Reply<T> {
    data: T,
    pagination: Option<Pagination>,
    entity_tag: Option<u64>,
}

/// A reply's JSON on its way to the layer that adds `meta`.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    pub(super) data: Vec<u8>,
    pub(super) pagination: Option<Pagination>,
}

/// A successful answer without a body.
#[derive(Clone, Copy, Debug)]
pub struct NoContent;

impl<T> Reply<T> {
    /// Answers with data.
    pub fn new(data: T) -> Self {
        Self { data, pagination: None, entity_tag: None }
    }

    /// Answers with a page of a list.
    pub fn page(data: T, pagination: Pagination) -> Self {
        Self { data, pagination: Some(pagination), entity_tag: None }
    }

    /// Adds the version of what is answered, as its strong entity tag.
    pub fn with_version(self, version: u64) -> Self {
        Self { entity_tag: Some(version), ..self }
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let Ok(data) = serde_json::to_vec(&self.data) else {
            return ApiError::internal().into_response();
        };
        let mut response = Response::new(Body::empty());
        if let Some(tag) = self.entity_tag.and_then(|version| HeaderValue::from_str(&format!("\"{version}\"")).ok()) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response.extensions_mut().insert(Rendered { data, pagination: self.pagination });
        response
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
