//! People: who signs in, by their tokens, and who they are in their organization.

use std::str::FromStr;

use accounting::{HexDigits, InvalidId, KeyId, OrgId};
use derive_more::Display;
use serde::Serialize;
use serde_with::SerializeDisplay;

use crate::Role;

/// The most members of one organization.
pub const MAX_MEMBERS: usize = 25;

/// Whom an issuer's tokens are for.
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

    /// Returns the SHA-256 by which the person is found.
    pub fn digest(&self) -> HexDigits<64> {
        let Self { issuer, subject } = self;
        // The length keeps two pairs that concatenate alike apart.
        let length = issuer.len().to_string();
        HexDigits::of_sha256(&[length.as_bytes(), b"#", issuer.as_bytes(), subject.as_bytes()])
    }

    /// Returns the handle by which the person's organization calls them.
    pub fn member_id(&self) -> MemberId {
        self.digest().first()
    }
}

/// A member's public handle, which says nothing of the person.
pub type MemberId = HexDigits<16>;

/// An e-mail address in lower case: up to 254 characters without blanks around one `@`. Two that differ in
/// the case of ASCII letters are the same person's. Of other letters the case stays: some become two letters in
/// lower case, and some become one that stands in somebody else's address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Display, SerializeDisplay)]
pub struct Email(String);

impl Email {
    /// Returns the SHA-256 of the address: what is kept of one that has been used.
    pub fn digest(&self) -> HexDigits<64> {
        HexDigits::of_sha256(&[self.0.as_bytes()])
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

/// A person, as their token describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub subject: Subject,
    /// The token's `email`, where it has one.
    pub email: Option<Email>,
    /// The token's `email_verified`.
    pub is_email_verified: bool,
}

impl Person {
    /// Returns the person's e-mail address if their issuer has verified that it is theirs.
    pub fn verified_email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.is_email_verified)
    }
}

/// Who calls the portal's operations, for what they are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PortalCaller {
    /// A person, with an organization or without.
    Person(Subject),
    /// An API key.
    Key { org: OrgId, id: KeyId },
}

/// The organization that a person belongs to, and what they may do there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub org: OrgId,
    pub role: Role,
}

/// Who changed something for their organization. Where there is none, it was the operator, or it was before
/// this was remembered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Display, Serialize)]
pub enum Actor {
    /// A person, by a bearer token.
    #[display("member:{_0}")]
    #[serde(rename = "member_id")]
    Member(MemberId),
    /// An integration, by its API key.
    #[display("key:{_0}")]
    #[serde(rename = "key_id")]
    Key(KeyId),
}

impl FromStr for Actor {
    type Err = InvalidId;

    /// Parses what `Display` writes.
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
    fn reads_every_address_back_that_it_takes_and_keeps_two_peoples_apart() {
        let grown = format!("{}@x.io", "\u{130}".repeat(200));
        for text in ["Planner@Example.com", "a@b", &grown] {
            let email: Email = text.parse().expect("an address");
            assert_eq!(email.to_string().parse(), Ok(email.clone()), "{text}");
        }
        let same = |one: &str, other: &str| one.parse::<Email>() == other.parse();
        assert!(same("PLANNER@example.com", "planner@EXAMPLE.com"));
        // The sign of the kelvin is a `k` in lower case.
        assert!(!same("\u{212a}ate@example.com", "kate@example.com"));
        for text in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n", &format!("{}@b", "a".repeat(253))] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
    }

    #[test]
    fn reads_back_who_changed_something() {
        for text in ["member:d22fc13fdd24ba36", "key:0011aabb"] {
            assert_eq!(text.parse::<Actor>().map(|actor| actor.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "0011aabb", "key:d22fc13fdd24ba36", "member:0011aabb", "operator:0011aabb"] {
            assert!(text.parse::<Actor>().is_err(), "{text}");
        }
    }
}
