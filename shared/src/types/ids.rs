use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Timestamp;

/// Why a text is not an identifier: the form that it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidId(pub &'static str);

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for InvalidId {}

/// An organization: 1 to 64 letters, digits, `_` or `-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OrgId(String);

impl OrgId {
    /// Makes a new organization's id: `org_` and 16 hexadecimal digits.
    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(format!("org_{}", hex(&bytes)))
    }

    /// Returns the id's text.
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
        Err(InvalidId("must be 1 to 64 letters, digits, `_` or `-`"))
    }
}

impl TryFrom<String> for OrgId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl From<OrgId> for String {
    fn from(id: OrgId) -> Self {
        id.0
    }
}

impl fmt::Display for OrgId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A scenario asset: a UUIDv7, so that the order of ids is the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AssetId(Uuid);

impl AssetId {
    /// Mints an id at `now`.
    pub fn from_random(now: Timestamp, bytes: [u8; 10]) -> Self {
        let millis = u64::try_from(now.unix_millis()).unwrap_or_default();
        Self(uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid())
    }

    /// Makes an id from its 16 bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// Returns the id's 16 bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl FromStr for AssetId {
    type Err = InvalidId;

    /// Parses the one canonical form: lower case, with hyphens.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let id = Uuid::try_parse(text).map(Self).map_err(|_| InvalidId("must be a UUID"))?;
        if id.to_string() == text { Ok(id) } else { Err(InvalidId("must be a UUID in lower case with hyphens")) }
    }
}

impl fmt::Display for AssetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One call of the service; its bytes also mark the call's charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Makes a random id.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    /// Returns the id's 16 bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A measurement product's event: 1 to 128 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EventId(String);

impl EventId {
    /// Returns the id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for EventId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        if (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(text));
        }
        Err(InvalidId("must be 1 to 128 visible ASCII characters"))
    }
}

impl From<EventId> for String {
    fn from(id: EventId) -> Self {
        id.0
    }
}

/// The name under which credits are billed: 1 to 32 lower-case letters, digits or `_`.
///
/// It is a member's name of the account item, whose size its length bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BillingName(String);

impl BillingName {
    /// Returns the name's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn known(name: &'static str) -> Self {
        Self(name.to_owned())
    }
}

impl TryFrom<String> for BillingName {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Self(text));
        }
        Err(InvalidId("must be 1 to 32 lower-case letters, digits or `_`"))
    }
}

impl From<BillingName> for String {
    fn from(name: BillingName) -> Self {
        name.0
    }
}

/// The public handle of an API key: 8 hexadecimal digits, unique in its organization.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct KeyId(String);

impl KeyId {
    /// Makes a random handle.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        Self(hex(&bytes))
    }

    /// Returns the handle's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        if text.len() == 8 && is_lower_hex(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 8 hexadecimal digits"))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An API key in the clear: `mq_live_` and 64 lower-case hexadecimal digits. It has no `Debug` and no `Display`.
pub struct ApiKey(String);

impl ApiKey {
    const PREFIX: &str = "mq_live_";

    /// Mints a key.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex(&bytes)))
    }

    /// Shows the key, once, to whom it is minted for.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the last four digits, which tell keys apart in a list.
    pub fn last_four(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }

    /// Returns the digest under which the key is stored.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest(sha256_hex(&[self.0.as_bytes()]))
    }
}

impl FromStr for ApiKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 64 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("an API key is `mq_live_` and 64 lower-case hexadecimal digits")),
        }
    }
}

/// The SHA-256 of an API key, as hexadecimal text: all that is kept of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyDigest(String);

impl KeyDigest {
    /// Takes a digest as it was stored.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the digest's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An anonymous session: a digest of the client's address, IPv6 by its /64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// Returns the session of a client's address.
    pub fn of_address(address: IpAddr) -> Self {
        let digest = match address.to_canonical() {
            IpAddr::V4(v4) => sha256_hex(&[&v4.octets()]),
            IpAddr::V6(v6) => sha256_hex(&[&v6.octets()[..8]]),
        };
        Self(digest[..32].to_owned())
    }

    /// Returns the id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        if text.len() == 32 && is_lower_hex(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidId("must be 32 hexadecimal digits"))
    }
}

/// Returns the SHA-256 of the parts, one after the other, as lower-case hexadecimal text.
pub(crate) fn sha256_hex(parts: &[&[u8]]) -> String {
    hex(digest(&SHA256, &parts.concat()).as_ref())
}

/// Returns bytes as lower-case hexadecimal text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Tells whether a text is hexadecimal digits in lower case.
pub(crate) fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
