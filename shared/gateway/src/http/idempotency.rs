//! `Idempotency-Key`: a create that is sent again creates nothing, costs nothing, and is answered with what the
//! first one created.
//!
//! Decided in `docs/decisions/0029-idempotency-keys.md`.

use std::str::FromStr;

use accounting::{OrgId, Price};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use store::{AssetId, Assets, IdempotencyKey, KeyLookup, KeyUse, UnusedKey};

use super::body::json_bytes;
use super::code::Code;
use super::error::ApiError;
use super::reply::Reply;
use crate::admission::AdmissionError;
use crate::input::Violations;

const HEADER: &str = "idempotency-key";

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

/// A request whose idempotency key and body have been read.
pub(super) struct Keyed {
    request: Request,
    key: IdempotencyKey,
    body: Bytes,
}

/// That a call repeated an earlier one, which paid for both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeats;

impl CreateKey {
    /// Makes the error of a key that came with another body before.
    pub fn reused() -> ApiError {
        let message = "`Idempotency-Key` came with another body within the last 24 hours; \
                       send a new key with a new body, or the old body again";
        ApiError::new(Code::IdempotencyKeyReused, message)
    }
}

impl<S: Sync> FromRequestParts<S> for CreateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(ApiError::internal)
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::New(reply) => return reply.into_response(),
            Self::Earlier(reply) => reply.into_response(),
        };
        response.extensions_mut().insert(Repeats);
        if !response.status().is_server_error() {
            let name = HeaderName::from_static("idempotency-replayed");
            response.headers_mut().insert(name, HeaderValue::from_static("true"));
        }
        response
    }
}

/// Tells whether a request has an idempotency key, of any form.
pub(super) fn has_key(headers: &HeaderMap) -> bool {
    headers.contains_key(HEADER)
}

/// Returns a request without a key, as its handler takes it.
pub(super) fn without_key(request: Request) -> Request {
    with(request, CreateKey::Missing)
}

/// Reads the key and the bytes of the body, which the request keeps.
pub(super) async fn read_key(request: Request) -> Result<Keyed, ApiError> {
    let key = key_of(request.headers())?;
    let (parts, body) = request.into_parts();
    let of_parts = Request::from_parts(parts.clone(), body);
    let body = json_bytes(of_parts).await?;
    Ok(Keyed { request: Request::from_parts(parts, Body::from(body.clone())), key, body })
}

/// Looks up what a request's idempotency key created, and returns what the request costs: with the request,
/// as its handler takes it, or with the error that answers it at that price.
pub(super) async fn look_up_key(
    assets: &Assets,
    org: &OrgId,
    keyed: Keyed,
) -> Result<(Result<Request, ApiError>, Price), AdmissionError> {
    let Keyed { request, key, body } = keyed;
    Ok(match assets.look_up_key(org, key, &body).await? {
        KeyLookup::Unused(key) => (Ok(with(request, CreateKey::Unused(key))), Price::OfProduct),
        KeyLookup::Used(KeyUse::SameBody(asset)) => {
            (Ok(with(request, CreateKey::Repeats(asset))), Price::OfRepeat)
        }
        KeyLookup::Used(KeyUse::OtherBody) => (Err(CreateKey::reused()), Price::OfProduct),
    })
}

fn with(mut request: Request, key: CreateKey) -> Request {
    request.extensions_mut().insert(key);
    request
}

fn key_of(headers: &HeaderMap) -> Result<IdempotencyKey, Violations> {
    let invalid = |detail: String| {
        let mut violations = Violations::default();
        violations.add("Idempotency-Key", detail);
        violations
    };
    let mut values = headers.get_all(HEADER).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(invalid("must come once".to_owned()));
    };
    IdempotencyKey::from_str(value.to_str().unwrap_or_default()).map_err(|error| invalid(error.to_string()))
}
