//! API keys, and their items in the table.

use accounting::{KeyId, OrgId, Scopes, Timestamp};
use serde::Serialize;

use super::error::StoreError;
use super::item::{Attributes, Item, NewItem, list};
use crate::{MemberId, SecretDigest};

/// A key as it was stored: never the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub org: OrgId,
    /// Its public handle.
    pub id: KeyId,
    /// The digest by which it is found.
    pub digest: SecretDigest,
    /// What it may be used for.
    pub scopes: Scopes,
    /// Its owner's name for it.
    pub label: String,
    /// The last four digits.
    pub last_four: String,
    /// When it was minted.
    pub created_at: Timestamp,
    /// Who minted it; `None` for the operator.
    pub created_by: Option<MemberId>,
    /// When it ends by itself; `None` for one that does not.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked; `None` for one that was not.
    pub revoked_at: Option<Timestamp>,
    /// Who revoked it; `None` for the operator.
    pub revoked_by: Option<MemberId>,
}

/// Whether a key opens anything, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    Live,
    /// Its time is over.
    Expired,
    /// It was revoked, before its time was over or after.
    Revoked,
}

impl Key {
    pub fn state(&self, now: Timestamp) -> KeyState {
        if self.revoked_at.is_some() {
            return KeyState::Revoked;
        }
        match self.expires_at {
            Some(expires_at) if expires_at <= now => KeyState::Expired,
            _ => KeyState::Live,
        }
    }

    /// Tells whether it is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.state(now) == KeyState::Live
    }

    /// Returns when it was revoked or is to expire, whichever is first; `None` for one that only lives.
    pub(super) fn ends_at(&self) -> Option<Timestamp> {
        self.revoked_at.into_iter().chain(self.expires_at).min()
    }
}

/// Writes a new key's attributes after those of its item's key.
pub(super) fn encode(item: NewItem, key: &Key) -> NewItem {
    let Key {
        org,
        id,
        digest,
        scopes,
        label,
        last_four,
        created_at,
        created_by,
        expires_at,
        revoked_at: _,
        revoked_by: _,
    } = key;
    item.text("org", org)
        .text("key_id", id)
        .text("digest", digest)
        .with("scopes", list(scopes))
        .text("label", label)
        .text("last_four", last_four)
        .moment("created", *created_at)
        .optional_text("created_by", created_by.as_ref())
        .optional_moment("expires", *expires_at)
}

pub(super) fn decode(item: &Item) -> Result<Key, StoreError> {
    let attributes = Attributes(item);
    Ok(Key {
        org: attributes.parsed("org")?,
        id: attributes.parsed("key_id")?,
        digest: attributes.parsed("digest")?,
        scopes: attributes.parsed_list("scopes")?,
        label: attributes.text("label")?.to_owned(),
        last_four: attributes.text("last_four")?.to_owned(),
        created_at: attributes.moment("created")?,
        created_by: attributes.optional_parsed("created_by")?,
        expires_at: attributes.optional_moment("expires")?,
        revoked_at: attributes.optional_moment("revoked")?,
        revoked_by: attributes.optional_parsed("revoked_by")?,
    })
}
