//! IDs and digests with a fixed number of hexadecimal digits.

use std::net::IpAddr;
use std::str::FromStr;

use derive_more::Display;
use serde_with::SerializeDisplay;
use thiserror::Error;

use super::ids::{is_lower_hex, sha256_hex};

/// The public ID of an API key, unique within its organization.
pub type KeyId = HexDigits<8>;

/// The ID of an anonymous session: a digest of the client's IPv4 address, or of the /64 prefix of its IPv6
/// address.
pub type SessionId = HexDigits<32>;

/// A fixed number of lowercase hexadecimal digits: a random ID or the first digits of a SHA-256 digest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display, SerializeDisplay)]
pub struct HexDigits<const DIGITS: usize>(String);

/// The error for a string that doesn't consist of exactly `DIGITS` lowercase hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be {DIGITS} lowercase hexadecimal digits")]
pub struct InvalidHexDigits<const DIGITS: usize>;

impl<const DIGITS: usize> HexDigits<DIGITS> {
    /// Returns the first digits of the SHA-256 digest of the concatenated parts.
    pub fn of_sha256(parts: &[&[u8]]) -> Self {
        Self(sha256_hex(parts)[..DIGITS].to_owned())
    }

    /// Returns the first `FEWER` digits. `FEWER` must not exceed `DIGITS`.
    pub fn first<const FEWER: usize>(&self) -> HexDigits<FEWER> {
        HexDigits(self.0[..FEWER].to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl KeyId {
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(hex::encode(bytes))
    }
}

impl SessionId {
    /// Returns the session ID for a client's address.
    pub fn of_address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(v4) => Self::of_sha256(&[&v4.octets()]),
            IpAddr::V6(v6) => Self::of_sha256(&[&v6.octets()[..8]]),
        }
    }
}

impl<const DIGITS: usize> FromStr for HexDigits<DIGITS> {
    type Err = InvalidHexDigits<DIGITS>;

    fn from_str(text: &str) -> Result<Self, InvalidHexDigits<DIGITS>> {
        if text.len() == DIGITS && is_lower_hex(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidHexDigits)
    }
}
