//! Bodies of requests: JSON, declared as JSON, and bounded before anything is made of it.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use deserr::Deserr;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use strict_json::{ExceededLimit, Limits, ParseError, Value};

use super::caller::Admitted;
use crate::code::Code;
use crate::error::ApiError;
use crate::input::Violations;

/// What any body may hold, however many bytes its operation takes. docs/decisions/0026-bodies-are-bounded.md
/// says where the numbers come from.
const LIMITS: Limits = Limits {
    // No object of the interface has nearly as many.
    members: 256,
    // The windows of a spot are the deepest: 5.
    depth: 16,
    // An asset of 4 MiB that is all geography ids has 247,000.
    values: 250_000,
};

/// A request's body as JSON.
#[derive(Clone, Debug)]
pub struct JsonBody(Value);

impl JsonBody {
    /// Reads the body as what it must be.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read<T: Deserr<Violations>>(self) -> Result<T, Violations> {
        deserr::deserialize(self.0)
    }

    /// Returns the body as it came, for what is looked up in it beside reading it.
    pub fn raw(&self) -> &Value {
        &self.0
    }
}

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let bytes = json_bytes(&parts.headers, body, Admitted::of(&parts)?.max_body_bytes).await?;
        strict_json::parse(&bytes, LIMITS).map(Self).map_err(|error| unreadable(&error))
    }
}

/// Reads the bytes of a request's body, which must be declared as JSON and within its bound.
pub(super) async fn json_bytes(headers: &HeaderMap, body: Body, max_bytes: usize) -> Result<Bytes, ApiError> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !media_type.is_some_and(is_json) {
        let message = "the body must be JSON; send it with `Content-Type: application/json`";
        return Err(ApiError::new(Code::UnsupportedMediaType, message));
    }
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

/// Returns how large the client says that its body is.
fn declared_bytes(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(bytes: usize) -> ApiError {
    let message = format!("the body exceeds this operation's limit of {bytes} bytes; send less per request");
    ApiError::new(Code::PayloadTooLarge, message)
}

fn unreadable(error: &ParseError) -> ApiError {
    let way_out = match error {
        ParseError::Invalid(error) => return invalid(&format!("is not valid JSON: {error}")),
        ParseError::Exceeded { limit: ExceededLimit::Members(_), .. } => "send only documented members",
        ParseError::Exceeded { limit: ExceededLimit::Depth(_), .. } => {
            "no documented member is nested that deeply"
        }
        ParseError::Exceeded { limit: ExceededLimit::Values(_), .. } => "send fewer values per request",
    };
    invalid(&format!("exceeds a limit: {error}; {way_out}"))
}

fn invalid(detail: &str) -> ApiError {
    Violations::one("", detail).into()
}
