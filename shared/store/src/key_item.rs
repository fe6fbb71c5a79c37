//! API keys, and their items in the table.

use accounting::{KeyId, OrgId, Scopes, Timestamp};
use serde::Serialize;

use super::item::stored;
use crate::{MemberId, SecretDigest};

/// A key as it was stored: never the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    #[serde(skip)]
    pub org: OrgId,
    /// Its public handle.
    #[serde(rename = "key_id")]
    pub id: KeyId,
    /// The digest by which it is found.
    #[serde(skip)]
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
    #[serde(skip)]
    pub created_by: Option<MemberId>,
    /// When it ends by itself; `None` for one that does not.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked; `None` for one that was not.
    #[serde(skip)]
    pub revoked_at: Option<Timestamp>,
    /// Who revoked it; `None` for the operator.
    #[serde(skip)]
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

stored!(Key {
    org: "org",
    id: "key_id",
    digest: "digest",
    scopes: "scopes",
    label: "label",
    last_four: "last_four",
    created_at: "created",
    created_by: "created_by",
    expires_at: "expires",
    revoked_at: "revoked",
    revoked_by: "revoked_by",
});
