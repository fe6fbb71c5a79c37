//! Stored API keys.

use accounting::{KeyId, OrgId, Scopes, Timestamp};
use serde::Serialize;

use super::item::stored;
use crate::{MemberId, SecretDigest};

/// The stored data about an API key. It doesn't include the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    #[serde(skip)]
    pub org: OrgId,
    /// The key's public ID.
    #[serde(rename = "key_id")]
    pub id: KeyId,
    /// The digest that identifies the key.
    #[serde(skip)]
    pub digest: SecretDigest,
    /// The operations that the key can be used for.
    pub scopes: Scopes,
    /// The owner's label for the key.
    pub label: String,
    /// The last four digits of the key.
    pub last_four: String,
    pub created_at: Timestamp,
    /// The member who created the key, or `None` if an administrator created it.
    #[serde(skip)]
    pub created_by: Option<MemberId>,
    /// When the key expires, or `None` if it doesn't expire.
    pub expires_at: Option<Timestamp>,
    /// When the key was revoked, or `None` if it wasn't.
    #[serde(skip)]
    pub revoked_at: Option<Timestamp>,
    /// The member who revoked the key. `None` if an administrator revoked it or it isn't revoked.
    #[serde(skip)]
    pub revoked_by: Option<MemberId>,
}

/// The state of a key. Only active keys are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    Live,
    Expired,
    /// The key was revoked, before or after it expired.
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

    /// Returns whether the key is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.state(now) == KeyState::Live
    }

    /// Returns when the key was revoked or expires, whichever comes first. Returns `None` if the key isn't
    /// revoked and doesn't expire.
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
