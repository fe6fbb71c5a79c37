//! API keys.

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use thiserror::Error;

use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::query::query_all;
use super::transaction::{TransactionFailure, mark_revoked, put_new, transact};
use crate::types::{KeyDigest, KeyId, MAX_LIVE_KEYS, OrgId, Scopes, Timestamp};

/// The API keys, by digest, and the bearer subjects.
#[derive(Clone, Debug)]
pub struct Credentials(pub(super) Dynamo);

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
    /// When it was revoked; `None` while it lives.
    pub revoked_at: Option<Timestamp>,
}

/// A key about to be stored, and the digest to find it by.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub key: Key,
    pub digest: KeyDigest,
}

/// Why a key was not minted.
#[derive(Debug, Error)]
pub enum MintFailure {
    /// The organization has as many live keys as there can be.
    #[error("the organization has {MAX_LIVE_KEYS} live keys, the most there can be")]
    TooMany,
    #[error(transparent)]
    Store(StoreError),
}

impl Credentials {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Finds a key by its digest, revoked ones too.
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

    /// Stores a new key, in one transaction with the count of live keys.
    ///
    /// # Errors
    ///
    /// When there are [`MAX_LIVE_KEYS`] already, or the database does not answer.
    pub async fn mint(&self, new: &NewKey) -> Result<(), MintFailure> {
        let NewKey { key: new_key, digest } = new;
        let mut by_digest = key(keys::key(digest), keys::KEY);
        by_digest.extend(encode(new_key));
        let mut in_list = key(keys::organization(&new_key.org), keys::key_in_list(&new_key.id));
        in_list.extend(encode(new_key));
        in_list.insert("digest".to_owned(), text(digest.as_str()));
        let count = Update::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(key(keys::organization(&new_key.org), keys::KEYS)))
            .update_expression("ADD live :one")
            .condition_expression("attribute_not_exists(live) OR live < :limit")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":limit", number(MAX_LIVE_KEYS))
            .build()
            .expect("table, key and expression are set");
        let writes = vec![
            TransactWriteItem::builder().update(count).build(),
            put_new(&self.0.credentials, by_digest),
            put_new(&self.0.credentials, in_list),
        ];
        match transact(&self.0, writes).await {
            Ok(()) => Ok(()),
            Err(TransactionFailure::Conditions(failed)) if failed.iter().any(|failed| failed.index == 0) => {
                Err(MintFailure::TooMany)
            }
            // Four random bytes met a handle that the organization has: minting again gives another.
            Err(TransactionFailure::Conditions(_)) => {
                Err(MintFailure::Store(StoreError::Contended("the key's handle is taken; try again")))
            }
            Err(TransactionFailure::Call(failure)) => Err(MintFailure::Store(failure.into())),
        }
    }

    /// Lists an organization's keys, revoked ones too.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(&self, org: &OrgId) -> Result<Vec<Key>, StoreError> {
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::KEY_LIST).await?;
        items.iter().map(decode).collect()
    }

    /// Revokes a key; `false` when the organization has no such live key.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn revoke(&self, org: &OrgId, id: &KeyId, now: Timestamp) -> Result<bool, StoreError> {
        let in_list = key(keys::organization(org), keys::key_in_list(id));
        let Some(item) = self.get(in_list.clone()).await? else {
            return Ok(false);
        };
        let digest: KeyDigest = Attributes(&item).parsed("digest")?;
        let count = Update::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(key(keys::organization(org), keys::KEYS)))
            .update_expression("ADD live :less")
            .expression_attribute_values(":less", number(-1))
            .build()
            .expect("table, key and expression are set");
        let writes = vec![
            mark_revoked(&self.0.credentials, in_list, now),
            mark_revoked(&self.0.credentials, key(keys::key(&digest), keys::KEY), now),
            TransactWriteItem::builder().update(count).build(),
        ];
        match transact(&self.0, writes).await {
            Ok(()) => Ok(true),
            Err(TransactionFailure::Conditions(_)) => Ok(false),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    pub(super) async fn get(&self, item_key: Item) -> Result<Option<Item>, StoreError> {
        let get = self.0.client.get_item().table_name(&self.0.credentials).set_key(Some(item_key));
        Ok(get.consistent_read(true).send().await?.item)
    }
}

fn encode(key: &Key) -> Item {
    let Key { org, id, scopes, label, last_four, created_at, revoked_at } = key;
    let scopes = scopes.iter().map(|scope| text(scope.as_str())).collect();
    let mut item: Item = [
        ("org", text(org.as_str())),
        ("key_id", text(id.as_str())),
        ("scopes", AttributeValue::L(scopes)),
        ("label", text(label)),
        ("last_four", text(last_four)),
        ("created", number(created_at.unix_millis())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    item.extend(revoked_at.map(|at| ("revoked".to_owned(), number(at.unix_millis()))));
    item
}

fn decode(item: &Item) -> Result<Key, StoreError> {
    let attributes = Attributes(item);
    let scopes = match item.get("scopes") {
        Some(AttributeValue::L(scopes)) => scopes,
        _ => return Err(StoreError::Corrupt("scopes")),
    };
    let scopes = scopes.iter().map(|scope| scope.as_s().ok()?.parse().ok()).collect::<Option<Scopes>>();
    Ok(Key {
        org: attributes.parsed("org")?,
        id: attributes.parsed("key_id")?,
        scopes: scopes.ok_or(StoreError::Corrupt("scopes"))?,
        label: attributes.text("label")?.to_owned(),
        last_four: attributes.text("last_four")?.to_owned(),
        created_at: Timestamp::from_unix_millis(attributes.number("created")?),
        revoked_at: attributes.optional_number("revoked")?.map(Timestamp::from_unix_millis),
    })
}
