//! Bodies of requests: JSON, declared as JSON, no larger than Lambda takes.

use axum::extract::{FromRequest, Request};
use deserr::Deserr;
use http::header;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use strict_json::{Limits, Value};

use super::code::Code;
use super::error::ApiError;
use crate::input::Violations;

/// The largest body that is read, in bytes: Lambda takes no larger request.
const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;

/// No object of the interface has nearly as many members.
const LIMITS: Limits = Limits { members: 256 };

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
        let media_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if !media_type.is_some_and(is_json) {
            let message = "the body must be JSON; send it with `Content-Type: application/json`";
            return Err(ApiError::new(Code::UnsupportedMediaType, message));
        }
        let bytes = Limited::new(request.into_body(), MAX_BODY_BYTES).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                let message =
                    format!("the body is larger than {MAX_BODY_BYTES} bytes; send less in one request");
                return ApiError::new(Code::PayloadTooLarge, message);
            }
            invalid("could not be read to its end")
        })?;
        let value = strict_json::parse(&bytes.to_bytes(), LIMITS);
        value.map(Self).map_err(|error| invalid(&format!("is not JSON: {error}")))
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
