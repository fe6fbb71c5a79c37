//! The secret of one start, without which the engine answers nobody.

use http::HeaderMap;
use http::header::AUTHORIZATION;
use shared::runtime::Random;
use subtle::ConstantTimeEq;

/// The access key id that requests must carry: 64 lower-case hexadecimal digits. It has no `Debug` and no
/// `Display`.
#[derive(Clone)]
pub(super) struct AccessKeyId(String);

impl AccessKeyId {
    pub(super) fn new() -> Self {
        Self(hex::encode(Random::System.bytes::<32>()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Tells whether a text is this key. How long it takes says nothing about how much of it is right.
    pub(super) fn is(&self, presented: &str) -> bool {
        self.0.as_bytes().ct_eq(presented.as_bytes()).into()
    }
}

/// Returns the access key id in the `Credential` of a request's SigV4 signature:
/// <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html>.
pub(super) fn presented(headers: &HeaderMap) -> Option<&str> {
    let parts = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("AWS4-HMAC-SHA256 ")?;
    let scope = parts.split([',', ' ']).find_map(|part| part.strip_prefix("Credential="))?;
    scope.split_once('/').map(|(access_key_id, _)| access_key_id)
}
