//! API keys: minted within the bound of their organization, found, listed and revoked.
//!
//! How many keys live is counted in the list itself, by the clock, so a key that expires makes room without a
//! write. A mint is written on the version of the organization's lists: two at a time do not both take the
//! last place.

use std::cmp::Reverse;

use accounting::{KeyId, MAX_LIVE_KEYS, OrgId, Scopes, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, key};
use super::key_item::Key;
use super::keys;
use super::query::{get, query_all};
use super::standing::{MintFailure, Outcome, Revocation, is_member, transact_as};
use super::transaction::{delete, put_new, revoking};
use crate::{ApiKey, KeyLabel, MemberId, Permission, SecretDigest, Subject};

/// How many keys of an organization that were revoked or expired stay in its list: those that ended last.
pub const MAX_ENDED_KEYS: usize = 100;

/// The most keys that a mint takes out of a list: a transaction has room for as many.
const FORGOTTEN_AT_ONCE: usize = 20;

/// How often a mint looks again because another one was first.
const MAX_LOOKS: usize = 20;

/// The API keys, by digest and in the lists of their organizations, and the people.
#[derive(Clone, Debug)]
pub struct Credentials(pub(super) Dynamo);

/// A key that is to be minted.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub label: KeyLabel,
    pub scopes: Scopes,
    /// When it ends by itself; `None` for one that does not.
    pub expires_at: Option<Timestamp>,
}

/// A key that was minted, with its clear text, which is kept nowhere.
pub struct MintedKey {
    pub api_key: ApiKey,
    pub key: Key,
}

impl Credentials {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Finds a key by its digest, one that has ended too.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn key(&self, digest: &SecretDigest) -> Result<Option<Key>, StoreError> {
        self.get(key(keys::key(digest), keys::KEY)).await?.as_ref().map(Key::load).transpose()
    }

    /// Finds out whether the database answers, in one try, by looking for a key that there cannot be.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let nobody = key(keys::NO_KEY, keys::KEY);
        self.0.once.get_item().table_name(&self.0.credentials).set_key(Some(nobody)).send().await?;
        Ok(())
    }

    /// Mints a key for an owner, or for the operator, and stores it under its digest and in the list, in one
    /// transaction. Of the keys that have ended, the list keeps the last [`MAX_ENDED_KEYS`].
    ///
    /// # Errors
    ///
    /// When there are [`MAX_LIVE_KEYS`] already, when `by` is no owner at that moment, whatever a process
    /// remembers, or when the database does not answer.
    pub async fn mint(
        &self,
        org: &OrgId,
        new: &NewKey,
        by: Option<&Subject>,
        now: Timestamp,
    ) -> Result<MintedKey, MintFailure> {
        for _ in 0..MAX_LOOKS {
            let version = self.list_version(org).await?;
            let listed = self.listed(org).await?;
            if listed.iter().filter(|key| key.is_live(now)).count() >= MAX_LIVE_KEYS {
                return Err(MintFailure::TooMany);
            }
            let minted = self.generate(org, new, by.map(Subject::member_id), now);
            let mut writes = self.minting(&minted.key);
            writes.push(self.version_bump(org, Some(version)));
            writes.extend(self.forgetting(listed, now));
            match transact_as(&self.0, self.key_manager(org, by), writes).await? {
                Outcome::Done => return Ok(minted),
                Outcome::Forbidden => return Err(MintFailure::Forbidden),
                // A list has changed since, or four random bytes met a handle that the organization has.
                Outcome::Stale => {}
            }
        }
        Err(StoreError::Contended("other requests are changing the same organization; try again").into())
    }

    /// Lists an organization's keys, newest first: those that live, and the last that have ended.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        let mut listed = self.listed(org).await?;
        listed.sort_by_key(|key| Reverse((key.created_at, key.id.clone())));
        Ok(listed)
    }

    /// Lists the live keys of an organization that a member has minted, newest first.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
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

    /// Revokes a key for an owner, whatever a process remembers of their role, or for the operator.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
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
            // Another call has revoked it since.
            Outcome::Stale => Revocation::Ended,
        })
    }

    pub(super) async fn get(&self, item_key: Item) -> Result<Option<Item>, StoreError> {
        get(&self.0.client, &self.0.credentials, item_key).await
    }

    /// Reads the items of one of an organization's lists.
    pub(super) async fn query(&self, org: &OrgId, list: &str) -> Result<Vec<Item>, StoreError> {
        query_all(&self.0.client, &self.0.credentials, &keys::organization(org), list).await
    }

    /// Makes the condition that a person manages an organization's keys; none for the operator.
    fn key_manager(&self, org: &OrgId, by: Option<&Subject>) -> Option<TransactWriteItem> {
        by.map(|by| is_member(&self.0, org, by, Some(Permission::ManageKeys)))
    }

    async fn listed(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        self.query(org, keys::KEY_LIST).await?.iter().map(Key::load).collect()
    }

    fn generate(&self, org: &OrgId, new: &NewKey, by: Option<MemberId>, now: Timestamp) -> MintedKey {
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
        MintedKey { api_key, key }
    }

    fn minting(&self, new: &Key) -> Vec<TransactWriteItem> {
        let by_digest = NewItem::of_key(keys::key(&new.digest), keys::KEY);
        let in_list = NewItem::of_key(keys::organization(&new.org), keys::key_in_list(&new.id));
        [by_digest, in_list].map(|item| put_new(&self.0.credentials, item.with_all(new).build())).into()
    }

    /// Makes the writes that take those keys out of a list which ended before the last [`MAX_ENDED_KEYS`].
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
