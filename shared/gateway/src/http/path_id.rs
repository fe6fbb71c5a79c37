//! Extracts the ID from a request's path.

use std::convert::Infallible;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use crate::error::ApiError;

/// The ID in a path with exactly one parameter. Requests with a malformed ID still reach the handler, which
/// usually treats it like an unknown ID.
#[derive(Clone, Copy, Debug)]
pub struct PathId<T>(Option<T>);

impl<T> PathId<T> {
    /// Returns the ID, or an error if it's malformed.
    pub fn or_else(self, malformed: impl FnOnce() -> ApiError) -> Result<T, ApiError> {
        self.0.ok_or_else(malformed)
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for PathId<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(path.ok().and_then(|Path(text)| text.parse().ok())))
    }
}
