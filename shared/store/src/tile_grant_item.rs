//! Tile grants, and their items in the table.

use accounting::{OrgId, Timestamp};
use serde::Serialize;

use super::error::StoreError;
use super::item::{Attributes, Item, NewItem, list};
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

/// Writes a new grant's attributes after those of its item's key.
pub(super) fn encode(item: NewItem, grant: &TileGrant) -> NewItem {
    let TileGrant {
        org,
        product,
        allowed_origins,
        label,
        created_at,
        created_by,
        expires_at,
        revoked_at: _,
        revoked_by: _,
    } = grant;
    item.text("org", org)
        .text("product", product)
        .with("origins", list(allowed_origins))
        .optional_text("label", label.as_ref())
        .moment("created", *created_at)
        .optional_text("created_by", created_by.as_ref())
        .moment("expires", *expires_at)
        .time_to_live(grant.forgotten_at())
}

pub(super) fn decode_signed(item: &Item) -> Result<SignedTileGrant, StoreError> {
    let attributes = Attributes(item);
    let secret = attributes.optional_binary("secret")?.and_then(|bytes| bytes.try_into().ok());
    let secret = TileSecret(secret.ok_or(StoreError::Corrupt("secret"))?);
    Ok(SignedTileGrant { grant: decode(item)?, secret, slot: attributes.number("slot")? })
}

pub(super) fn decode_listed(item: &Item) -> Result<ListedTileGrant, StoreError> {
    Ok(ListedTileGrant { id: Attributes(item).parsed("grant_id")?, grant: decode(item)? })
}

fn decode(item: &Item) -> Result<TileGrant, StoreError> {
    let attributes = Attributes(item);
    Ok(TileGrant {
        org: attributes.parsed("org")?,
        product: attributes.parsed("product")?,
        allowed_origins: attributes.parsed_list("origins")?,
        label: attributes.optional_parsed("label")?,
        created_at: attributes.moment("created")?,
        created_by: attributes.optional_parsed("created_by")?,
        expires_at: attributes.moment("expires")?,
        revoked_at: attributes.optional_moment("revoked")?,
        revoked_by: attributes.optional_parsed("revoked_by")?,
    })
}
