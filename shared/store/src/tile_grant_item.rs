//! Stored tile grants.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::item::{Attribute, stored, text};
use crate::{Actor, MemberId, TileGrantId, TileProduct};

/// How long a grant is kept after it expires or is revoked, in days.
pub(super) const REMEMBERED_DAYS: i64 = 30;

/// A permission to show one product's tiles on pages with certain origins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TileGrant {
    /// The organization that created the grant.
    #[serde(skip)]
    pub org: OrgId,
    /// The product whose tiles can be shown.
    pub product: TileProduct,
    /// The origins of the pages that can show the tiles, in the form that browsers send.
    pub allowed_origins: Vec<String>,
    /// Whether place tiles include visits. Only owners can create such grants.
    pub include_visits: bool,
    /// The organization's label for the grant.
    pub label: Option<String>,
    pub created_at: Timestamp,
    /// The person or key that created the grant.
    pub created_by: Option<Actor>,
    /// The member who created the grant, or who created the API key that created it. `None` if an
    /// administrator created the key. This field never changes, even if the key expires or is revoked, or the
    /// member leaves.
    #[serde(rename = "responsible_member_id")]
    pub responsible: Option<MemberId>,
    pub expires_at: Timestamp,
    /// When the grant was revoked, or `None` if it wasn't.
    pub revoked_at: Option<Timestamp>,
    /// The person or key that revoked the grant.
    pub revoked_by: Option<Actor>,
}

/// The secret that signs a grant's tokens. The type doesn't implement `Debug`, so secrets can't be logged by
/// accident.
#[derive(Clone, PartialEq, Eq)]
pub struct TileSecret([u8; 32]);

impl TileSecret {
    /// Creates a secret from 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A grant with its signing secret. This item is stored under the digest of the grant's ID.
#[derive(Clone)]
pub struct SignedTileGrant {
    pub grant: TileGrant,
    pub secret: TileSecret,
    /// The slot that the grant occupies until it expires or is revoked.
    pub(super) slot: usize,
}

/// A grant in its organization's list.
#[derive(Clone)]
pub struct ListedTileGrant {
    /// The grant's ID. It's stored only in the list, and all other items contain only its digest.
    pub id: TileGrantId,
    pub grant: TileGrant,
}

impl TileGrant {
    /// Returns whether the grant is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at > now
    }

    /// Returns the time from which the grant is treated as if it had never existed.
    pub(super) fn forgotten_at(&self) -> Timestamp {
        let ended_at = self.revoked_at.map_or(self.expires_at, |revoked_at| revoked_at.min(self.expires_at));
        ended_at.plus_days(REMEMBERED_DAYS)
    }
}

stored!(TileGrant {
    org: "org",
    product: "product",
    allowed_origins: "origins",
    include_visits: "include_visits",
    label: "label",
    created_at: "created",
    created_by: "created_by",
    responsible: "responsible",
    expires_at: "expires",
    revoked_at: "revoked",
    revoked_by: "revoked_by",
});
stored!(SignedTileGrant { secret: "secret", slot: "slot" } with grant);
stored!(ListedTileGrant { id: "grant_id" } with grant);

impl Attribute for TileSecret {
    fn write(&self) -> Option<AttributeValue> {
        self.0.to_vec().write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        Vec::read(value)?.try_into().ok().map(Self)
    }
}

impl Attribute for TileGrantId {
    fn write(&self) -> Option<AttributeValue> {
        Some(text(self.reveal()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        value.as_s().ok()?.parse().ok()
    }
}
