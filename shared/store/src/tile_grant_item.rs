//! Tile grants, and their items in the table.

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;

use super::error::StoreError;
use super::item::{Attributes, Item, number, text};
use crate::{Actor, TileGrantId, TileProduct};

/// How long a grant is remembered after it ended or was revoked, in days.
pub(super) const REMEMBERED_DAYS: i64 = 30;

/// The right to see one product's tiles on some origins' pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGrant {
    /// The organization that gave it.
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

pub(super) fn encode(grant: &TileGrant) -> Item {
    let TileGrant {
        org,
        product,
        allowed_origins,
        label,
        created_at,
        created_by,
        expires_at,
        revoked_at,
        revoked_by,
    } = grant;
    let origins = allowed_origins.iter().map(text).collect();
    let mut item: Item = [
        ("org", text(org.as_str())),
        ("product", text(product.as_str())),
        ("origins", AttributeValue::L(origins)),
        ("created", number(created_at.unix_millis())),
        ("expires", number(expires_at.unix_millis())),
        ("ttl", number(grant.forgotten_at().unix_seconds())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    item.extend(label.as_ref().map(|label| ("label".to_owned(), text(label))));
    item.extend(created_by.as_ref().map(|by| ("created_by".to_owned(), text(by.to_string()))));
    item.extend(revoked_at.map(|at| ("revoked".to_owned(), number(at.unix_millis()))));
    item.extend(revoked_by.as_ref().map(|by| ("revoked_by".to_owned(), text(by.to_string()))));
    item
}

fn decode(item: &Item) -> Result<TileGrant, StoreError> {
    let attributes = Attributes(item);
    let moment = |name| attributes.number(name).map(Timestamp::from_unix_millis);
    let origins = match item.get("origins") {
        Some(AttributeValue::L(origins)) => origins,
        _ => return Err(StoreError::Corrupt("origins")),
    };
    let origins = origins.iter().map(|origin| origin.as_s().ok().cloned()).collect::<Option<Vec<_>>>();
    Ok(TileGrant {
        org: attributes.parsed("org")?,
        product: attributes.parsed("product")?,
        allowed_origins: origins.ok_or(StoreError::Corrupt("origins"))?,
        label: attributes.optional_text("label")?.map(str::to_owned),
        created_at: moment("created")?,
        created_by: attributes.optional_parsed("created_by")?,
        expires_at: moment("expires")?,
        revoked_at: attributes.optional_number("revoked")?.map(Timestamp::from_unix_millis),
        revoked_by: attributes.optional_parsed("revoked_by")?,
    })
}

pub(super) fn decode_signed(item: &Item) -> Result<SignedTileGrant, StoreError> {
    let secret = Attributes(item).optional_binary("secret")?.and_then(|bytes| bytes.try_into().ok());
    let secret = TileSecret(secret.ok_or(StoreError::Corrupt("secret"))?);
    Ok(SignedTileGrant { grant: decode(item)?, secret })
}

pub(super) fn decode_listed(item: &Item) -> Result<ListedTileGrant, StoreError> {
    Ok(ListedTileGrant { id: Attributes(item).parsed("grant_id")?, grant: decode(item)? })
}
