//! API keys: minted within the bound of their organization, found, listed and revoked.
//!
//! How many keys live is counted in the list itself, by the clock, so a key that expires makes room without a
//! write. The count of minted keys changes with each mint: two at a time do not both take the last place.

use std::cmp::Reverse;

use accounting::{KeyId, MAX_LIVE_KEYS, OrgId, Scopes, Timestamp};
use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};
use thiserror::Error;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number};
use super::key_item::{Key, ListedKey, decode, decode_listed, encode, encode_listed};
use super::keys;
use super::query::query_all;
use super::standing::is_owner;
use super::transaction::{TransactionFailure, delete, put_new, revoking, transact};
use crate::{ApiKey, KeyDigest, KeyLabel, MemberId, Subject};

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

/// Why a key was not minted.
#[derive(Debug, Error)]
pub enum MintFailure {
    /// The organization has as many live keys as there can be.
    #[error("the organization has {MAX_LIVE_KEYS} live keys, the most there can be")]
    TooMany,
    /// Whoever mints is no owner of the organization, or is one no longer.
    #[error("only an owner of the organization mints keys")]
    NotAnOwner,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of the revocation of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    Done,
    /// It was revoked before.
    AlreadyRevoked,
    /// The organization's list has no such key.
    Unknown,
    /// Whoever revokes is no owner of the organization, or is one no longer.
    NotAnOwner,
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
    pub async fn key(&self, digest: &KeyDigest) -> Result<Option<Key>, StoreError> {
        self.get(key(keys::key(digest), keys::KEY)).await?.as_ref().map(decode).transpose()
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
            // The count is read first: when the list has grown meanwhile, the mint does not happen.
            let before = self.minted(org).await?;
            let listed = self.listed(org).await?;
            if listed.iter().filter(|listed| listed.key.is_live(now)).count() >= MAX_LIVE_KEYS {
                return Err(MintFailure::TooMany);
            }
            let minted = self.generate(org, new, by.map(Subject::member_id), now);
            let mut writes = self.minting(&minted, before);
            let owner_check = writes.len();
            writes.extend(by.map(|by| is_owner(&self.0, org, by)));
            writes.extend(self.forgetting(listed, now));
            match transact(&self.0, writes).await {
                Ok(()) => return Ok(minted),
                Err(failure) if by.is_some() && failure.is_of(owner_check) => {
                    return Err(MintFailure::NotAnOwner);
                }
                // Another key was minted since, or four random bytes met a handle that the organization has.
                Err(TransactionFailure::Conditions(_)) => {}
                Err(TransactionFailure::Call(failure)) => return Err(StoreError::from(failure).into()),
            }
        }
        Err(StoreError::Contended("others mint keys of the same organization; try again").into())
    }

    /// Lists an organization's keys, newest first: those that live, and the last that have ended.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        let mut listed: Vec<_> = self.listed(org).await?.into_iter().map(|listed| listed.key).collect();
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
        let ListedKey { key: found, digest } = decode_listed(&item)?;
        if found.revoked_at.is_some() {
            return Ok(Revocation::AlreadyRevoked);
        }
        let revoked_by = by.map(Subject::member_id);
        let mut writes = Vec::from([in_list, key(keys::key(&digest), keys::KEY)].map(|item_key| {
            let no_item = ReturnValuesOnConditionCheckFailure::None;
            revoking(revoked_by.as_ref(), now).into_write(&self.0.credentials, item_key, no_item)
        }));
        let owner_check = writes.len();
        writes.extend(by.map(|by| is_owner(&self.0, org, by)));
        match transact(&self.0, writes).await {
            Ok(()) => Ok(Revocation::Done),
            Err(failure) if failure.is_of(owner_check) => Ok(Revocation::NotAnOwner),
            // Another call has revoked it since.
            Err(TransactionFailure::Conditions(_)) => Ok(Revocation::AlreadyRevoked),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    pub(super) async fn get(&self, item_key: Item) -> Result<Option<Item>, StoreError> {
        let get = self.0.client.get_item().table_name(&self.0.credentials).set_key(Some(item_key));
        Ok(get.consistent_read(true).send().await?.item)
    }

    /// Reads how many keys an organization has minted; `None` of one that has minted none since that is
    /// counted.
    async fn minted(&self, org: &OrgId) -> Result<Option<u64>, StoreError> {
        let count = self.get(key(keys::organization(org), keys::KEYS)).await?;
        Ok(count.map(|item| Attributes(&item).optional_number("minted")).transpose()?.flatten())
    }

    async fn listed(&self, org: &OrgId) -> Result<Vec<ListedKey>, StoreError> {
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::KEY_LIST).await?;
        items.iter().map(decode_listed).collect()
    }

    fn generate(&self, org: &OrgId, new: &NewKey, by: Option<MemberId>, now: Timestamp) -> MintedKey {
        let NewKey { label, scopes, expires_at } = new.clone();
        let api_key = ApiKey::from_random(self.0.random.bytes());
        let key = Key {
            org: org.clone(),
            id: KeyId::from_random(self.0.random.bytes()),
            scopes,
            label: label.as_str().to_owned(),
            last_four: api_key.last_four().to_owned(),
            created_at: now,
            created_by: by,
            expires_at,
            revoked_at: None,
            revoked_by: None,
        };
        MintedKey { api_key, key }
    }

    /// Makes the writes of a mint, on the condition that no other key was minted since.
    fn minting(&self, minted: &MintedKey, before: Option<u64>) -> Vec<TransactWriteItem> {
        let MintedKey { api_key, key: new_key } = minted;
        let digest = api_key.digest();
        let organization = keys::organization(&new_key.org);
        let mut by_digest = key(keys::key(&digest), keys::KEY);
        by_digest.extend(encode(new_key));
        let mut in_list = key(organization.clone(), keys::key_in_list(&new_key.id));
        in_list.extend(encode_listed(new_key, &digest));
        let count = Update::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(key(organization, keys::KEYS)))
            .update_expression("ADD minted :one")
            .expression_attribute_values(":one", number(1));
        let count = match before {
            None => count.condition_expression("attribute_not_exists(minted)"),
            Some(before) => count
                .condition_expression("minted = :before")
                .expression_attribute_values(":before", number(before)),
        };
        let count = count.build().expect("table, key and expression are set");
        vec![
            TransactWriteItem::builder().update(count).build(),
            put_new(&self.0.credentials, by_digest),
            put_new(&self.0.credentials, in_list),
        ]
    }

    /// Makes the writes that take those keys out of a list which ended before the last [`MAX_ENDED_KEYS`].
    fn forgetting(&self, listed: Vec<ListedKey>, now: Timestamp) -> impl Iterator<Item = TransactWriteItem> {
        let mut ended: Vec<_> = listed.into_iter().filter(|listed| !listed.key.is_live(now)).collect();
        ended.sort_by_key(|listed| Reverse(listed.key.ends_at()));
        let forgotten = ended.into_iter().skip(MAX_ENDED_KEYS).take(FORGOTTEN_AT_ONCE);
        let item_keys = forgotten.flat_map(|ListedKey { key: ended, digest }| {
            let in_list = key(keys::organization(&ended.org), keys::key_in_list(&ended.id));
            [in_list, key(keys::key(&digest), keys::KEY)]
        });
        item_keys.map(|item_key| delete(&self.0.credentials, item_key))
    }
}
