//! Client links and their tokens.

use std::str::FromStr;

use accounting::{HexDigits, InvalidId, OrgId, Timestamp, is_lower_hex};
use serde::Serialize;

use super::item::stored;
use crate::{Actor, AssetId, MemberId, SecretDigest};

/// The maximum number of active client links per organization.
pub const MAX_LIVE_CLIENT_LINKS: usize = 100;

/// The public ID of a client link: the first digits of its token's digest. The ID isn't sufficient to open
/// the link.
pub type ClientLinkId = HexDigits<16>;

/// A link that lets anyone who knows its token view one campaign without signing in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientLink {
    /// The organization that created the link.
    #[serde(skip)]
    pub org: OrgId,
    /// The campaign that the link opens.
    pub asset_id: AssetId,
    /// The digest of the link's token. It's serialized as the link's ID.
    #[serde(rename = "link_id", serialize_with = "as_id")]
    pub digest: SecretDigest,
    /// Whether the page shows the media owners' rates.
    pub include_rates: bool,
    pub created_at: Timestamp,
    /// The person or key that created the link.
    pub created_by: Option<Actor>,
    /// The member who created the link, or who created the API key that created it. `None` if an
    /// administrator created the key.
    #[serde(rename = "responsible_member_id")]
    pub responsible: Option<MemberId>,
    pub expires_at: Timestamp,
}

/// A client link's token in clear text: `mql_` followed by 64 hexadecimal digits. The type doesn't implement
/// `Debug` or `Display`, so tokens can't be logged by accident.
pub struct ClientLinkToken(String);

impl ClientLink {
    pub fn id(&self) -> ClientLinkId {
        self.digest.first()
    }
}

impl ClientLinkToken {
    const PREFIX: &str = "mql_";

    /// Creates a token from 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, hex::encode(bytes)))
    }

    /// Returns the token in clear text. It's shown only once, to the creator of the link.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the digest that identifies the link.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of_sha256(&[self.0.as_bytes()])
    }
}

impl FromStr for ClientLinkToken {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        match text.strip_prefix(Self::PREFIX) {
            Some(digits) if digits.len() == 64 && is_lower_hex(digits) => Ok(Self(text.to_owned())),
            _ => Err(InvalidId("must be `mql_` followed by 64 lowercase hexadecimal digits")),
        }
    }
}

stored!(ClientLink {
    org: "org",
    asset_id: "asset",
    digest: "digest",
    include_rates: "include_rates",
    created_at: "created",
    created_by: "created_by",
    responsible: "responsible",
    expires_at: "expires",
});

fn as_id<S: serde::Serializer>(digest: &SecretDigest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(digest.first::<16>().as_str())
}
