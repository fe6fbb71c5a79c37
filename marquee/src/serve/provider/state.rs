//! What the endpoints share.

use http::StatusCode;
use runtime::Clock;

use super::issuer::LocalIssuer;
use super::sign_ins::SignIns;

pub(super) struct Provider {
    pub(super) issuer: LocalIssuer,
    pub(super) sign_ins: SignIns,
    pub(super) clock: Clock,
    /// The lifetime of the tokens that a sign-in gives, in seconds.
    pub(super) token_seconds: u32,
}

/// Status and reason for a request that the portal does not make.
pub(super) type Refusal = (StatusCode, String);

/// Compares parameters of a request to what the portal sends: name, given value, expected value.
pub(super) fn expect(parameters: &[(&str, &str, &str)]) -> Result<(), Refusal> {
    match parameters.iter().find(|(_, given, expected)| given != expected) {
        Some((name, _, expected)) => Err((StatusCode::BAD_REQUEST, format!("{name} must be {expected}\n"))),
        None => Ok(()),
    }
}
