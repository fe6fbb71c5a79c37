//! Handles `Idempotency-Key`. If a create request is repeated, the response contains the asset that the first
//! request created, and the call is free.
//!
//! See `docs/decisions/0029-idempotency-keys.md`.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use store::{AssetId, IdempotencyKey, KeyLookup, KeyUse, UnusedKey};

use super::body::json_bytes;
use super::reply::Reply;
use crate::code::Code;
use crate::error::ApiError;
use crate::input::{InvalidValue, Violations};

pub(super) const HEADER: &str = "idempotency-key";

/// The header that marks the response to a repeated request. Only the first request is charged.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The state of a create request's idempotency key. Only admission creates this value.
#[derive(Clone, Debug)]
pub enum CreateKey {
    /// The request has no idempotency key, so it always creates an asset.
    Missing,
    /// No earlier request has used the key.
    Unused(UnusedKey),
    /// The request repeats an earlier one that created this asset.
    Repeats(AssetId),
}

/// The result of a create request.
#[derive(Clone, Debug)]
pub enum Created<T> {
    /// The request created this asset.
    New(Reply<T>),
    /// An earlier request with the same key created the asset. The response contains its current state, or an
    /// error if it has since been deleted. The call is free.
    Earlier(Result<Reply<T>, ApiError>),
}

impl CreateKey {
    /// Converts the result of a key lookup. Returns an error if the key was used with a different body.
    pub(super) fn of(found: KeyLookup) -> Result<Self, ApiError> {
        match found {
            KeyLookup::Unused(key) => Ok(Self::Unused(key)),
            KeyLookup::Used(KeyUse::SameBody(asset)) => Ok(Self::Repeats(asset)),
            KeyLookup::Used(KeyUse::OtherBody) => Err(Self::reused()),
        }
    }

    /// Returns the error for a key that was already used with a different body.
    pub fn reused() -> ApiError {
        let message = "`Idempotency-Key` was used with a different body within the last 24 hours; \
                       send a new key, or send the original body again";
        ApiError::new(Code::IdempotencyKeyReused, message)
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::New(reply) => return reply.into_response(),
            Self::Earlier(reply) => reply.into_response(),
        };
        if !response.status().is_server_error() {
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

/// Reads the idempotency key and the body, and returns them with a request whose body can be read again.
pub(super) async fn read_key(
    request: Request,
    max_bytes: usize,
) -> Result<(Request, IdempotencyKey, Bytes), ApiError> {
    let key = read_idempotency_key(request.headers())?;
    let (parts, body) = request.into_parts();
    let body = json_bytes(&parts.headers, body, max_bytes).await?;
    Ok((Request::from_parts(parts, Body::from(body.clone())), key, body))
}

/// Reads the request's idempotency key. Returns a violation if the key is missing, repeated, or malformed.
pub fn read_idempotency_key(headers: &HeaderMap) -> Result<IdempotencyKey, Violations> {
    let invalid = |detail: &str| Violations::one("Idempotency-Key", detail);
    let mut values = headers.get_all(HEADER).iter();
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value,
        (Some(_), Some(_)) => return Err(invalid("must be sent only once")),
        (None, _) => return Err(invalid("is required; send a new key for each purchase")),
    };
    let text = String::from_utf8_lossy(value.as_bytes());
    text.parse().map_err(|rule| invalid(&InvalidValue::quoting(rule, &text).0))
}
