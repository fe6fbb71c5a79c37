//! Tile grants, and their items in the table.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::item::{Attribute, stored, text};
use crate::{Actor, TileGrantId, TileProduct};

/// How long a grant is remembered after it ended or was revoked, in days.
pub(super) const REMEMBERED_DAYS: i64 = 30;

/// The right to see one product's tiles on some origins' pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TileGrant {
    /// The organization that gave it.
    #[serde(skip)]
    pub org: OrgId,
    /// What its tiles show.
    pub product: TileProduct,
    /// The origins whose pages may show them, in the form in which browsers send them.
    pub allowed_origins: Vec<String>,
    /// The organization's name for it.
    pub label: Option<String>,
    /// When it was minted.
    pub created_at: Timestamp,
    /// Who minted it.
    pub created_by: Option<Actor>,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was revoked; `None` for one that was not.
    pub revoked_at: Option<Timestamp>,
    /// Who revoked it.
    pub revoked_by: Option<Actor>,
}

/// The secret that signs a grant's tokens. It has no `Debug`: nothing may print it.
#[derive(Clone, PartialEq, Eq)]
pub struct TileSecret([u8; 32]);

impl TileSecret {
    /// Makes a secret of 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A grant found by its id, or by the id's digest.
#[derive(Clone)]
pub struct SignedTileGrant {
    pub grant: TileGrant,
    /// What signs its tokens.
    pub secret: TileSecret,
    /// The slot that it has while it lives.
    pub(super) slot: usize,
}

/// A grant in its organization's list.
#[derive(Clone)]
pub struct ListedTileGrant {
    /// Its id: the list is where an organization finds it again.
    pub id: TileGrantId,
    pub grant: TileGrant,
}

impl TileGrant {
    /// Tells whether it shows tiles: it has neither ended nor been revoked.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at > now
    }

    /// Returns the moment from which on it is as if it had never been.
    pub(super) fn forgotten_at(&self) -> Timestamp {
        let ended_at = self.revoked_at.map_or(self.expires_at, |revoked_at| revoked_at.min(self.expires_at));
        ended_at.plus_days(REMEMBERED_DAYS)
    }
}

stored!(TileGrant {
    org: "org",
    product: "product",
    allowed_origins: "origins",
    label: "label",
    created_at: "created",
    created_by: "created_by",
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
