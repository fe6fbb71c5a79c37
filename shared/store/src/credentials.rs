//! Creates, finds, lists, and revokes API keys. Each organization has a maximum number of active keys.
//!
//! Each create counts the active keys in the organization's list, so no write is needed when a key expires. A
//! new key is written on the condition that the version of the organization's lists is unchanged, so
//! simultaneous requests can't exceed the maximum.

use std::cmp::Reverse;

use accounting::{KeyId, MAX_LIVE_KEYS, OrgId, Scopes, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, key};
use super::key_item::Key;
use super::keys;
use super::query::{get, query_all};
use super::standing::{CreateFailure, Outcome, Revocation, is_member, transact_as};
use super::transaction::{delete, put_new, revoking};
use crate::{ApiKey, KeyLabel, MemberId, Permission, SecretDigest, Subject};

/// The maximum number of revoked or expired keys in an organization's list. If there are more, the keys that
/// ended first are deleted.
pub const MAX_ENDED_KEYS: usize = 100;

/// The maximum number of ended keys that one transaction deletes. DynamoDB limits the size of a transaction.
const FORGOTTEN_AT_ONCE: usize = 20;

/// The maximum number of attempts to create a key while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 20;

/// All organizations' API keys, members, and invitations.
#[derive(Clone, Debug)]
pub struct Credentials(pub(super) Dynamo);

/// A request for a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub label: KeyLabel,
    pub scopes: Scopes,
    /// When the key expires, or `None` if it doesn't expire.
    pub expires_at: Option<Timestamp>,
}

/// A new key with its clear text, which isn't stored.
pub struct CreatedKey {
    pub api_key: ApiKey,
    pub key: Key,
}

impl Credentials {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Finds a key by its digest, even if the key was revoked or has expired.
    pub async fn key(&self, digest: &SecretDigest) -> Result<Option<Key>, StoreError> {
        self.get(key(keys::key(digest), keys::KEY)).await?.as_ref().map(Key::load).transpose()
    }

    /// Checks whether the database responds, by reading an item that can't exist. Doesn't retry.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let missing_key = key(keys::NO_KEY, keys::KEY);
        self.0.once.get_item().table_name(&self.0.credentials).set_key(Some(missing_key)).send().await?;
        Ok(())
    }

    /// Creates a key and stores it under its digest and in the organization's list in one transaction. `by`
    /// is the owner who creates the key, or `None` for an administrator. The list also keeps the
    /// [`MAX_ENDED_KEYS`] keys that ended last.
    ///
    /// # Errors
    ///
    /// Returns an error if the organization already has [`MAX_LIVE_KEYS`] active keys, `by` isn't an owner at
    /// the time of the write, or the database fails.
    pub async fn create(
        &self,
        org: &OrgId,
        new: &NewKey,
        by: Option<&Subject>,
        now: Timestamp,
    ) -> Result<CreatedKey, CreateFailure> {
        for _ in 0..MAX_ATTEMPTS {
            let version = self.list_version(org).await?;
            let listed = self.listed(org).await?;
            if listed.iter().filter(|key| key.is_live(now)).count() >= MAX_LIVE_KEYS {
                return Err(CreateFailure::TooMany);
            }
            let created = self.generate(org, new, by.map(Subject::member_id), now);
            let mut writes = self.creation_writes(&created.key);
            writes.push(self.version_bump(org, Some(version)));
            writes.extend(self.forgetting(listed, now));
            match transact_as(&self.0, self.key_manager(org, by), writes).await? {
                Outcome::Done => return Ok(created),
                Outcome::Forbidden => return Err(CreateFailure::Forbidden),
                // The list has changed since it was read, or the random ID is already used in the
                // organization.
                Outcome::Stale => {}
            }
        }
        Err(StoreError::Contended("other requests are changing the same organization; try again").into())
    }

    /// Lists an organization's active keys and the keys that ended last, newest first.
    pub async fn list(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        let mut listed = self.listed(org).await?;
        listed.sort_by_key(|key| Reverse((key.created_at, key.id.clone())));
        Ok(listed)
    }

    /// Lists the active keys that a member created, newest first.
    pub async fn live_keys_made_by(
        &self,
        org: &OrgId,
        member: &MemberId,
        now: Timestamp,
    ) -> Result<Vec<Key>, StoreError> {
        let mut listed = self.list(org).await?;
        listed.retain(|key| key.is_live(now) && key.created_by.as_ref() == Some(member));
        Ok(listed)
    }

    /// Revokes a key. `by` must be an owner at the time of the write, or `None` for an administrator.
    pub async fn revoke(
        &self,
        org: &OrgId,
        id: &KeyId,
        by: Option<&Subject>,
        now: Timestamp,
    ) -> Result<Revocation, StoreError> {
        let in_list = key(keys::organization(org), keys::key_in_list(id));
        let Some(item) = self.get(in_list.clone()).await? else {
            return Ok(Revocation::Unknown);
        };
        let found = Key::load(&item)?;
        if found.revoked_at.is_some() {
            return Ok(Revocation::Ended);
        }
        let revoked_by = by.map(Subject::member_id);
        let writes = [in_list, key(keys::key(&found.digest), keys::KEY)]
            .map(|item_key| revoking(revoked_by.as_ref(), now).into_write(&self.0.credentials, item_key));
        Ok(match transact_as(&self.0, self.key_manager(org, by), writes.into()).await? {
            Outcome::Done => Revocation::Done,
            Outcome::Forbidden => Revocation::Forbidden,
            // Another call has revoked the key in the meantime.
            Outcome::Stale => Revocation::Ended,
        })
    }

    pub(super) async fn get(&self, item_key: Item) -> Result<Option<Item>, StoreError> {
        get(&self.0.client, &self.0.credentials, item_key).await
    }

    /// Reads all items in one of an organization's lists, such as its API keys.
    pub(super) async fn query(&self, org: &OrgId, list: &str) -> Result<Vec<Item>, StoreError> {
        query_all(&self.0.client, &self.0.credentials, &keys::organization(org), list).await
    }

    /// Returns a check that a person can manage an organization's keys, or `None` for an administrator.
    fn key_manager(&self, org: &OrgId, by: Option<&Subject>) -> Option<TransactWriteItem> {
        by.map(|by| is_member(&self.0, org, by, Some(Permission::ManageKeys)))
    }

    async fn listed(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        self.query(org, keys::KEY_LIST).await?.iter().map(Key::load).collect()
    }

    fn generate(&self, org: &OrgId, new: &NewKey, by: Option<MemberId>, now: Timestamp) -> CreatedKey {
        let NewKey { label, scopes, expires_at } = new.clone();
        let api_key = ApiKey::from_random(self.0.random.bytes());
        let key = Key {
            org: org.clone(),
            id: KeyId::from_random(self.0.random.bytes()),
            digest: api_key.digest(),
            scopes,
            label: label.to_string(),
            last_four: api_key.last_four().to_owned(),
            created_at: now,
            created_by: by,
            expires_at,
            revoked_at: None,
            revoked_by: None,
        };
        CreatedKey { api_key, key }
    }

    fn creation_writes(&self, new: &Key) -> Vec<TransactWriteItem> {
        let by_digest = NewItem::of_key(keys::key(&new.digest), keys::KEY);
        let in_list = NewItem::of_key(keys::organization(&new.org), keys::key_in_list(&new.id));
        [by_digest, in_list].map(|item| put_new(&self.0.credentials, item.with_all(new).build())).into()
    }

    /// Returns the writes that delete up to [`FORGOTTEN_AT_ONCE`] ended keys. The [`MAX_ENDED_KEYS`] keys
    /// that ended last are kept.
    fn forgetting(&self, listed: Vec<Key>, now: Timestamp) -> impl Iterator<Item = TransactWriteItem> {
        let mut ended: Vec<_> = listed.into_iter().filter(|key| !key.is_live(now)).collect();
        ended.sort_by_key(|key| Reverse(key.ends_at()));
        let forgotten = ended.into_iter().skip(MAX_ENDED_KEYS).take(FORGOTTEN_AT_ONCE);
        let item_keys = forgotten.flat_map(|Key { org, id, digest, .. }| {
            [key(keys::organization(&org), keys::key_in_list(&id)), key(keys::key(&digest), keys::KEY)]
        });
        item_keys.map(|item_key| delete(&self.0.credentials, item_key))
    }
}
