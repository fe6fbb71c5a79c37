//! The body of a request, read as JSON.

use axum::extract::{FromRequest, Request};
use http::header;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::code::Code;
use super::error::ApiError;
use crate::input::wire::{Value, Violations};

/// The largest body that is read, in bytes: Lambda takes no larger request.
const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;

/// A request's body as JSON.
#[derive(Clone, Debug)]
pub struct JsonBody(pub Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let media_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if !media_type.is_some_and(is_json) {
            let message = "the body must be JSON; send it with `Content-Type: application/json`";
            return Err(ApiError::new(Code::UnsupportedMediaType, message));
        }
        let bytes = Limited::new(request.into_body(), MAX_BODY_BYTES).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                let message = format!("the body is larger than {MAX_BODY_BYTES} bytes; send less in one request");
                return ApiError::new(Code::PayloadTooLarge, message);
            }
            invalid("could not be read to its end")
        })?;
        let value =
            serde_json::from_slice(&bytes.to_bytes()).map_err(|error| invalid(&format!("is not JSON: {error}")))?;
        Ok(Self(value))
    }
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn invalid(detail: &str) -> ApiError {
    let mut violations = Violations::default();
    violations.add("", detail);
    violations.into()
}
