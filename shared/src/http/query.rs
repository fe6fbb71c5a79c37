//! The query of a request.

use axum::extract::{FromRequestParts, Query};
use http::request::Parts;

use super::error::ApiError;
use crate::input::wire::Violations;

/// A request's query parameters, in the order of arrival.
#[derive(Clone, Debug)]
pub struct QueryPairs(pub Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for QueryPairs {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Query::try_from_uri(&parts.uri).map(|Query(pairs)| Self(pairs)).map_err(|_| {
            let mut violations = Violations::default();
            violations.add("?", "must be name=value pairs with & between them");
            violations.into()
        })
    }
}
