//! `Idempotency-Key`: a create that is sent again creates nothing, costs nothing, and is answered with what the
//! first one created.
//!
//! Decided in `docs/decisions/0029-idempotency-keys.md`.

use std::str::FromStr;

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
use crate::input::Violations;

pub(super) const HEADER: &str = "idempotency-key";

/// The header of an answer to a call that repeated an earlier one, which paid for both.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// What the idempotency key of a create says of it: only the admission middleware makes one.
#[derive(Clone, Debug)]
pub enum CreateKey {
    /// There is none: the call creates an asset whenever it is sent.
    Missing,
    /// It is the first call with its key.
    Unused(UnusedKey),
    /// It repeats the call that created this asset.
    Repeats(AssetId),
}

/// How a create is answered.
#[derive(Clone, Debug)]
pub enum Created<T> {
    /// With the asset that it created.
    New(Reply<T>),
    /// With what has become of the asset that an earlier call with its key created; it costs nothing then.
    Earlier(Result<Reply<T>, ApiError>),
}

impl CreateKey {
    /// Says what a key is by what was found under it.
    ///
    /// # Errors
    ///
    /// When it came with another body before.
    pub(super) fn of(found: KeyLookup) -> Result<Self, ApiError> {
        match found {
            KeyLookup::Unused(key) => Ok(Self::Unused(key)),
            KeyLookup::Used(KeyUse::SameBody(asset)) => Ok(Self::Repeats(asset)),
            KeyLookup::Used(KeyUse::OtherBody) => Err(Self::reused()),
        }
    }

    /// Makes the error of a key that came with another body before.
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

/// Reads the key and the bytes of the body, which the request keeps.
pub(super) async fn read_key(
    request: Request,
    max_bytes: usize,
) -> Result<(Request, IdempotencyKey, Bytes), ApiError> {
    let key = key_of(request.headers())?;
    let (parts, body) = request.into_parts();
    let body = json_bytes(&parts.headers, body, max_bytes).await?;
    Ok((Request::from_parts(parts, Body::from(body.clone())), key, body))
}

fn key_of(headers: &HeaderMap) -> Result<IdempotencyKey, Violations> {
    let invalid = |detail: &str| Violations::one("Idempotency-Key", detail);
    let mut values = headers.get_all(HEADER).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(invalid("must be sent only once"));
    };
    IdempotencyKey::from_str(value.to_str().unwrap_or_default()).map_err(|error| invalid(&error.to_string()))
}
