//! IDs of stored objects, requests, and events.

use std::str::FromStr;

use accounting::{HexDigits, InvalidId, Timestamp, is_lower_hex};
use derive_more::Display;
use serde::Serialize;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;
use uuid::Uuid;

/// The SHA-256 digest of a secret. API keys, invitation tokens, and client link tokens are stored only as
/// digests. A digest also identifies a tile grant in places where the grant's ID must stay secret.
pub type SecretDigest = HexDigits<64>;

/// The ID of a scenario asset: a UUIDv7, so IDs sort by creation time.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr,
)]
pub struct AssetId(Uuid);

impl AssetId {
    /// Creates an ID for an asset that is created at `now`.
    pub fn from_random(now: Timestamp, bytes: [u8; 10]) -> Self {
        let millis = u64::try_from(now.unix_millis()).unwrap_or_default();
        Self(uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid())
    }

    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl FromStr for AssetId {
    type Err = InvalidId;

    /// Parses a UUID with hyphens, in lower or upper case.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let id = Uuid::try_parse(text).map(Self).map_err(|_| InvalidId("must be a UUID"))?;
        let is_hyphenated = id.to_string().eq_ignore_ascii_case(text);
        if is_hyphenated { Ok(id) } else { Err(InvalidId("must be a UUID with hyphens")) }
    }
}

/// The ID of one call to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Display)]
pub struct RequestId(Uuid);

impl RequestId {
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// Returns the ID of an operation in this batch. `place` is the operation's position in the batch,
    /// starting at 0. The ID differs from the batch's ID only in the last two digits, so searching the log
    /// for the other digits finds both.
    pub fn of_operation(self, place: u8) -> Self {
        let mut bytes = *self.0.as_bytes();
        bytes[15] ^= place + 1;
        Self(Uuid::from_bytes(bytes))
    }
}

/// A request's idempotency key, which lets the client retry the request safely.
pub type IdempotencyKey = VisibleText<255>;

/// The ID that the sender assigned to a measurement event.
pub type EventId = VisibleText<128>;

/// A string from outside the service: 1 to `MOST` visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Display, SerializeDisplay, DeserializeFromStr)]
pub struct VisibleText<const MOST: usize>(String);

/// The error for a string that isn't 1 to `MOST` visible ASCII characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be 1 to {MOST} visible ASCII characters")]
pub struct InvalidVisibleText<const MOST: usize>;

impl<const MOST: usize> FromStr for VisibleText<MOST> {
    type Err = InvalidVisibleText<MOST>;

    fn from_str(text: &str) -> Result<Self, InvalidVisibleText<MOST>> {
        if (1..=MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidVisibleText)
    }
}

/// An API key in clear text: `mq_live_` followed by 64 lowercase hexadecimal digits. The type doesn't
/// implement `Debug` or `Display`, so keys can't be logged by accident.
pub struct ApiKey(String);

impl ApiKey {
    /// The prefix of every key.
    pub const PREFIX: &str = "mq_live_";

    /// Creates a key from 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex::encode(bytes)))
    }

    /// Returns the key in clear text. It's shown only once, when the key is created.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the last four digits, which identify the key in a list.
    pub fn last_four(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }

    /// Returns the digest that identifies the key.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of_sha256(&[self.0.as_bytes()])
    }
}

impl FromStr for ApiKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 64 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("an API key is `mq_live_` followed by 64 lowercase hexadecimal digits")),
        }
    }
}
