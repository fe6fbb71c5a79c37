//! People who sign in, and their membership in an organization.

use std::str::FromStr;

use accounting::{HexDigits, InvalidId, KeyId, OrgId, SessionId};
use derive_more::Display;
use serde::Serialize;
use serde_with::SerializeDisplay;

use crate::{PersonName, Role, SecretDigest};

/// The maximum number of members per organization.
pub const MAX_MEMBERS: usize = 25;

/// A person, identified by the issuer and subject of their tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The token's `iss`.
    pub issuer: String,
    /// The token's `sub`.
    pub subject: String,
}

impl Subject {
    pub fn new(issuer: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { issuer: issuer.into(), subject: subject.into() }
    }

    /// Returns the SHA-256 digest that identifies the person.
    pub fn digest(&self) -> HexDigits<64> {
        let Self { issuer, subject } = self;
        // Without the length, two different pairs of issuer and subject could have the same concatenation.
        let length = issuer.len().to_string();
        HexDigits::of_sha256(&[length.as_bytes(), b"#", issuer.as_bytes(), subject.as_bytes()])
    }

    /// Returns the person's ID as a member of an organization.
    pub fn member_id(&self) -> MemberId {
        self.digest().first()
    }
}

/// A member's public ID, which reveals nothing about the person.
pub type MemberId = HexDigits<16>;

/// An email address: up to 254 characters, without whitespace or control characters, and with exactly one
/// `@`. ASCII letters are converted to lowercase, so addresses that differ only in the case of these letters
/// are equal. Other letters keep their case, because converting them could add characters or make two
/// people's addresses equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Display, SerializeDisplay)]
pub struct Email(String);

impl Email {
    /// Returns the SHA-256 digest of the address.
    pub fn digest(&self) -> HexDigits<64> {
        HexDigits::of_sha256(&[self.0.as_bytes()])
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Email {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let is_whole = text
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
        let is_plain = !text.chars().any(|character| character.is_whitespace() || character.is_control());
        if is_whole && is_plain && text.chars().count() <= 254 {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        Err(InvalidId("must be an email address of at most 254 characters"))
    }
}

/// A person, as described by their token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub subject: Subject,
    /// The token's `name`, if present.
    pub name: Option<PersonName>,
    /// The token's `email`, if present.
    pub email: Option<Email>,
    /// The token's `email_verified`.
    pub is_email_verified: bool,
}

impl Person {
    /// Returns the person's email address if the issuer has verified it.
    pub fn verified_email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.is_email_verified)
    }
}

/// A caller whose free calls are counted per clock minute, independently of any account.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AccountApiCaller {
    /// A person, with or without an organization.
    Person(Subject),
    /// An organization's API key.
    Key { org: OrgId, id: KeyId },
    /// A visitor who views a client link from a network address. Views of client links have their own limit.
    Viewer { link: SecretDigest, address: SessionId },
}

/// A person's organization and role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub org: OrgId,
    pub role: Role,
}

/// The person or API key that made a change. In optional fields, `None` means an administrator, or a change
/// that was made before actors were recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Display, Serialize)]
pub enum Actor {
    /// A person, authenticated by a bearer token.
    #[display("member:{_0}")]
    #[serde(rename = "member_id")]
    Member(MemberId),
    /// An integration, authenticated by its API key.
    #[display("key:{_0}")]
    #[serde(rename = "key_id")]
    Key(KeyId),
}

impl FromStr for Actor {
    type Err = InvalidId;

    /// Parses the output of `Display`.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let actor = match text.split_once(':') {
            Some(("member", id)) => id.parse().ok().map(Self::Member),
            Some(("key", id)) => id.parse().ok().map(Self::Key),
            _ => None,
        };
        actor.ok_or(InvalidId("must be `member:` or `key:` followed by an id"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_can_be_parsed_again_and_only_ascii_case_is_ignored() {
        let grown = format!("{}@x.io", "\u{130}".repeat(200));
        for text in ["Planner@Example.com", "a@b", &grown] {
            let email: Email = text.parse().expect("the address is valid");
            assert_eq!(email.to_string().parse(), Ok(email.clone()), "{text}");
        }
        let same = |one: &str, other: &str| one.parse::<Email>() == other.parse();
        assert!(same("PLANNER@example.com", "planner@EXAMPLE.com"));
        // The lowercase form of the kelvin sign is `k`.
        assert!(!same("\u{212a}ate@example.com", "kate@example.com"));
        for text in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n", &format!("{}@b", "a".repeat(253))] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
    }

    #[test]
    fn actors_can_be_parsed_from_their_text() {
        for text in ["member:d22fc13fdd24ba36", "key:0011aabb"] {
            assert_eq!(text.parse::<Actor>().map(|actor| actor.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "0011aabb", "key:d22fc13fdd24ba36", "member:0011aabb", "operator:0011aabb"] {
            assert!(text.parse::<Actor>().is_err(), "{text}");
        }
    }
}
