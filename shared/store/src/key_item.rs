//! API keys, and their items in the table.

use accounting::{KeyId, OrgId, Scopes, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::error::StoreError;
use super::item::{Attributes, Item, number, text};
use crate::{KeyDigest, MemberId};

/// A key as it was stored: never the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub org: OrgId,
    /// Its public handle.
    pub id: KeyId,
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

/// A key in its organization's list, with the digest by which it is found.
pub(super) struct ListedKey {
    pub(super) key: Key,
    pub(super) digest: KeyDigest,
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

pub(super) fn encode(key: &Key) -> Item {
    let Key { org, id, scopes, label, last_four, created_at, created_by, expires_at, revoked_at, revoked_by } =
        key;
    let scopes = scopes.iter().map(|scope| text(scope.as_str())).collect();
    let moment = |at: &Timestamp| number(at.unix_millis());
    let member = |id: &MemberId| text(id.as_str());
    let always = [
        ("org", text(org.as_str())),
        ("key_id", text(id.as_str())),
        ("scopes", AttributeValue::L(scopes)),
        ("label", text(label)),
        ("last_four", text(last_four)),
        ("created", moment(created_at)),
    ];
    let sometimes = [
        ("created_by", created_by.as_ref().map(member)),
        ("expires", expires_at.as_ref().map(moment)),
        ("revoked", revoked_at.as_ref().map(moment)),
        ("revoked_by", revoked_by.as_ref().map(member)),
    ];
    let sometimes = sometimes.into_iter().filter_map(|(name, value)| Some((name, value?)));
    always.into_iter().chain(sometimes).map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(super) fn decode(item: &Item) -> Result<Key, StoreError> {
    let attributes = Attributes(item);
    let scopes = match item.get("scopes") {
        Some(AttributeValue::L(scopes)) => scopes,
        _ => return Err(StoreError::Corrupt("scopes")),
    };
    let scopes = scopes.iter().map(|scope| scope.as_s().ok()?.parse().ok()).collect::<Option<Scopes>>();
    let moment = |name| {
        let millis = attributes.optional_number(name)?;
        Ok::<_, StoreError>(millis.map(Timestamp::from_unix_millis))
    };
    Ok(Key {
        org: attributes.parsed("org")?,
        id: attributes.parsed("key_id")?,
        scopes: scopes.ok_or(StoreError::Corrupt("scopes"))?,
        label: attributes.text("label")?.to_owned(),
        last_four: attributes.text("last_four")?.to_owned(),
        created_at: Timestamp::from_unix_millis(attributes.number("created")?),
        created_by: attributes.optional_parsed("created_by")?,
        expires_at: moment("expires")?,
        revoked_at: moment("revoked")?,
        revoked_by: attributes.optional_parsed("revoked_by")?,
    })
}

pub(super) fn encode_listed(key: &Key, digest: &KeyDigest) -> Item {
    let mut item = encode(key);
    item.insert("digest".to_owned(), text(digest.as_str()));
    item
}

pub(super) fn decode_listed(item: &Item) -> Result<ListedKey, StoreError> {
    Ok(ListedKey { key: decode(item)?, digest: Attributes(item).parsed("digest")? })
}
