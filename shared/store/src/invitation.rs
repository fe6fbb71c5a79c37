//! Invitation IDs, tokens, and states.

use std::str::FromStr;

use accounting::{InvalidId, is_lower_hex};
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter};

use crate::SecretDigest;

/// The maximum number of open invitations per organization.
pub const MAX_LIVE_INVITATIONS: usize = 50;

/// The maximum number of invitations that an organization can send by email per UTC day. It equals the
/// maximum number of members per organization.
pub const MAX_MAILED_INVITATIONS: u32 = 25;

/// How long an invitation is valid, in days.
pub const INVITATION_DAYS: i64 = 7;

/// An invitation's ID: `inv_` followed by 16 hexadecimal digits. The ID isn't secret, because it isn't
/// sufficient to accept the invitation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, derive_more::Display, SerializeDisplay)]
pub struct InvitationId(String);

impl InvitationId {
    const PREFIX: &str = "inv_";

    pub fn from_random(bytes: [u8; 8]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex::encode(bytes)))
    }
}

impl FromStr for InvitationId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 16 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("must be `inv_` followed by 16 lowercase hexadecimal digits")),
        }
    }
}

/// An invitation's token in clear text: `mqi_` followed by 64 hexadecimal digits. The type doesn't implement
/// `Debug` or `Display`, so tokens can't be logged by accident.
pub struct InvitationToken(String);

impl InvitationToken {
    const PREFIX: &str = "mqi_";

    /// Creates a token from 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex::encode(bytes)))
    }

    /// Returns the token in clear text. It's shown only once, to the owner who created the invitation.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the digest that identifies the invitation.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of_sha256(&[self.0.as_bytes()])
    }
}

impl FromStr for InvitationToken {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 64 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("must be `mqi_` followed by 64 lowercase hexadecimal digits")),
        }
    }
}

/// An invitation's state. Only an open invitation can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, SerializeDisplay)]
#[strum(serialize_all = "snake_case")]
pub enum InvitationState {
    /// The invitation hasn't been accepted or revoked, and hasn't expired.
    Live,
    Accepted,
    /// An owner revoked the invitation or invited the same address again.
    Revoked,
    /// The invitation wasn't accepted in time.
    Expired,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_and_tokens_can_be_parsed() {
        let id = InvitationId::from_random([7; 8]);
        assert_eq!(id.to_string(), "inv_0707070707070707");
        assert!(id.to_string().parse::<InvitationId>().is_ok_and(|read| read == id));
        let token = InvitationToken::from_random([1; 32]);
        assert!(token.reveal().parse::<InvitationToken>().is_ok_and(|read| read.digest() == token.digest()));
        assert!(token.digest() != InvitationToken::from_random([2; 32]).digest());
        assert!(token.digest().as_str().parse::<SecretDigest>().is_ok());
    }

    #[test]
    fn malformed_tokens_and_ids_are_rejected() {
        let digits = "a".repeat(64);
        for text in [
            String::new(),
            "mqi_".to_owned(),
            digits.clone(),
            format!("mqi_{}", digits.to_uppercase()),
            format!("mqi_{digits}a"),
            format!("mqi_{}", &digits[1..]),
            format!("mq_live_{digits}"),
            format!("#invitation=mqi_{digits}"),
        ] {
            assert!(text.parse::<InvitationToken>().is_err(), "{text}");
        }
        for text in ["", "inv_", "inv_070707070707070", "inv_07070707070707077", "inv_070707070707070G"] {
            assert!(text.parse::<InvitationId>().is_err(), "{text}");
        }
    }
}
