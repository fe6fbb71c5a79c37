//! IDs, which are validated when they're parsed, and SHA-256 digests.

use std::str::FromStr;

use derive_more::Display;
use ring::digest::{SHA256, digest};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

/// The error for an invalid ID. Its message describes the expected form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidId(pub &'static str);

/// An organization's ID: 1 to 64 letters, digits, `_`, or `-`.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr,
)]
pub struct OrgId(String);

impl OrgId {
    /// Creates an ID for a new organization: `org_` followed by 16 hexadecimal digits.
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

/// A billing name: 1 to 32 lowercase letters, digits, or `_`.
///
/// Names are short because an account's item contains the name of every product used on a day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr)]
pub struct Meter(String);

impl Meter {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Creates the billing name of a product. The name isn't checked, because all product names are valid.
    pub(super) fn of_product(name: &'static str) -> Self {
        Self(name.to_owned())
    }
}

impl FromStr for Meter {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 1 to 32 lowercase letters, digits, or `_`"))
    }
}

/// Returns the SHA-256 digest of the concatenated parts as lowercase hexadecimal digits.
pub fn sha256_hex(parts: &[&[u8]]) -> String {
    hex::encode(digest(&SHA256, &parts.concat()))
}

/// Returns whether a string consists only of lowercase hexadecimal digits.
pub fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
