//! Reads JSON bodies and enforces limits on them while parsing.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use deserr::{Deserr, IntoValue, ValuePointerRef};
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use strict_json::{ExceededLimit, Limits, Object, ParseError, Value};

use super::caller::Admitted;
use crate::code::Code;
use crate::error::ApiError;
use crate::input::{Violations, quoted};

/// The UTF-8 byte order mark, which JSON parsers are allowed to ignore
/// (<https://www.rfc-editor.org/rfc/rfc8259#section-8.1>).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The limits for all bodies, in addition to each operation's size limit.
/// docs/decisions/0026-bodies-are-bounded.md explains them.
const LIMITS: Limits = Limits {
    // Documented objects have far fewer members.
    members: 256,
    // The most deeply nested values are a spot's windows in a batch, at 8 levels.
    depth: 16,
    // A 4 MiB asset that consists mainly of geography IDs contains 247,000 values.
    values: 250_000,
};

/// A request's JSON body.
#[derive(Clone, Debug, Serialize)]
pub struct JsonBody(Value);

impl JsonBody {
    /// Converts the body to `T` or returns all violations.
    pub fn read<T: Deserr<Violations>>(self) -> Result<T, Violations> {
        deserr::deserialize(self.0)
    }

    /// Moves the members with the given names into a new body. If the body isn't an object, leaves it
    /// unchanged and returns an empty object.
    pub fn take(&mut self, names: &[&str]) -> Self {
        let Value::Object(members) = &mut self.0 else { return Self(Value::Object(Object::default())) };
        Self(Value::Object(members.take(names)))
    }

    /// Returns the parsed JSON, for checks that the conversion to a type can't perform.
    pub fn raw(&self) -> &Value {
        &self.0
    }
}

/// Defers the conversion of a nested value, so that a handler can convert it later.
impl Deserr<Violations> for JsonBody {
    fn deserialize_from_value<V: IntoValue>(
        value: deserr::Value<V>,
        _location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        Ok(Self(Value::of(value)))
    }
}

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let bytes = json_bytes(&parts.headers, body, Admitted::of(&parts)?.max_body_bytes).await?;
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        strict_json::parse(text, LIMITS).map(Self).map_err(|error| unreadable(&error))
    }
}

/// Reads a request body. Returns an error if it isn't declared as JSON, is compressed, exceeds `max_bytes`,
/// or can't be received completely.
pub(super) async fn json_bytes(headers: &HeaderMap, body: Body, max_bytes: usize) -> Result<Bytes, ApiError> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !media_type.is_some_and(is_json) {
        let message = "the body must be JSON; send it with `Content-Type: application/json`";
        return Err(ApiError::new(Code::UnsupportedMediaType, message));
    }
    check_coding(headers)?;
    if declared_bytes(headers).is_some_and(|bytes| bytes > max_bytes) {
        return Err(too_large(max_bytes));
    }
    match Limited::new(body, max_bytes).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(max_bytes)),
        Err(_) => Err(invalid("could not be read completely")),
    }
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Returns an error if the body has a content coding such as gzip.
fn check_coding(headers: &HeaderMap) -> Result<(), ApiError> {
    for value in headers.get_all(header::CONTENT_ENCODING) {
        let text = String::from_utf8_lossy(value.as_bytes());
        let text = text.trim();
        if !text.is_empty() && !text.eq_ignore_ascii_case("identity") {
            let coding = quoted(text);
            let message =
                format!("`Content-Encoding` must be identity, got {coding}; send the body uncompressed");
            return Err(ApiError::new(Code::UnsupportedMediaType, message));
        }
    }
    Ok(())
}

/// Returns the body size from `Content-Length`, or `None` if the header is missing or invalid.
fn declared_bytes(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(bytes: usize) -> ApiError {
    let message = format!("the body exceeds this operation's limit of {bytes} bytes; send less per request");
    ApiError::new(Code::PayloadTooLarge, message)
}

fn unreadable(error: &ParseError) -> ApiError {
    let advice = match error {
        ParseError::Invalid(error) => return invalid(&format!("is not valid JSON: {error}")),
        ParseError::Exceeded { limit: ExceededLimit::Members(_), .. } => "send only documented members",
        ParseError::Exceeded { limit: ExceededLimit::Depth(_), .. } => {
            "no documented member is nested that deeply"
        }
        ParseError::Exceeded { limit: ExceededLimit::Values(_), .. } => "send fewer values per request",
    };
    invalid(&format!("exceeds a limit: {error}; {advice}"))
}

fn invalid(detail: &str) -> ApiError {
    Violations::one("", detail).into()
}
