//! Identifiers, each parsed once: a value in hand has the form that its type describes.

use std::str::FromStr;

use derive_more::Display;
use ring::digest::{SHA256, digest};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

/// Why a text is not an identifier: the form that it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidId(pub &'static str);

/// An organization: 1 to 64 letters, digits, `_` or `-`.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr,
)]
pub struct OrgId(String);

impl OrgId {
    /// Makes a new organization's id: `org_` and 16 hexadecimal digits.
    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(format!("org_{}", hex::encode(bytes)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for OrgId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 1 to 64 letters, digits, `_`, or `-`"))
    }
}

/// The name under which credits are billed: 1 to 32 lower-case letters, digits or `_`.
///
/// An account carries one for each product that is used in a day, so it is short.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr)]
pub struct BillingName(String);

impl BillingName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes the name of a product, which has the form.
    pub(super) fn of_product(name: &'static str) -> Self {
        Self(name.to_owned())
    }
}

impl FromStr for BillingName {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 1 to 32 lowercase letters, digits, or `_`"))
    }
}

/// Returns the SHA-256 of the parts, one after the other, as lower-case hexadecimal text.
pub fn sha256_hex(parts: &[&[u8]]) -> String {
    hex::encode(digest(&SHA256, &parts.concat()))
}

/// Tells whether a text is hexadecimal digits in lower case.
pub fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
