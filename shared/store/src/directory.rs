//! The directory of organizations: one partition that names them all, so that they can be listed.
//!
//! It says nothing that the accounts say: those are read with each page.

use std::collections::HashMap;

use accounting::{Account, AccountKey, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::account_item::decode;
use super::accounts::{Accounts, account_key};
use super::batch::batch_get;
use super::error::StoreError;
use super::item::{Attributes, Item, NewItem, key};
use super::keys;
use super::query::{page, query_partition};
use super::transaction::put;

/// An organization in the directory, with its account.
#[derive(Clone, Debug)]
pub struct ListedOrg {
    pub org: OrgId,
    pub created_at: Timestamp,
    pub account: Account,
}

/// Some of the organizations, in the order of their ids.
#[derive(Clone, Debug)]
pub struct OrgPage {
    pub organizations: Vec<ListedOrg>,
    /// Whether there are further ones.
    pub has_more: bool,
}

impl Accounts {
    /// Lists at most `limit` organizations, from after one on.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(&self, after: Option<&OrgId>, limit: usize) -> Result<OrgPage, StoreError> {
        let (entries, has_more) = self.entries(after, limit).await?;
        let mut accounts = self.accounts_of(&entries).await?;
        let listed = |(org, created_at)| {
            let account = accounts.remove(&keys::organization(&org)).ok_or(StoreError::Missing("account"))?;
            Ok::<_, StoreError>(ListedOrg { org, created_at, account })
        };
        Ok(OrgPage { organizations: entries.into_iter().map(listed).collect::<Result<_, _>>()?, has_more })
    }

    /// Makes the write that enters an organization into the directory.
    pub(super) fn directory_entry(&self, org: &OrgId, created_at: Timestamp) -> TransactWriteItem {
        let item = NewItem::of_key(keys::DIRECTORY, keys::organization_in_directory(org))
            .text("org", org)
            .moment("created", created_at);
        put(&self.0.accounts, item.build())
    }

    /// Reads a page of the directory, and whether there is a further one.
    async fn entries(
        &self,
        after: Option<&OrgId>,
        limit: usize,
    ) -> Result<(Vec<(OrgId, Timestamp)>, bool), StoreError> {
        let start = after.map(|org| key(keys::DIRECTORY, keys::organization_in_directory(org)));
        let query = query_partition(&self.0.client, &self.0.accounts, keys::DIRECTORY);
        let (items, has_more) = page(query, start, limit).await?;
        Ok((items.iter().map(decode_entry).collect::<Result<_, _>>()?, has_more))
    }

    /// Reads the accounts of organizations, by their partitions.
    async fn accounts_of(
        &self,
        entries: &[(OrgId, Timestamp)],
    ) -> Result<HashMap<String, Account>, StoreError> {
        let wanted = entries.iter().map(|(org, _)| account_key(&AccountKey::Org(org.clone()))).collect();
        let found = batch_get(&self.0, &self.0.accounts, wanted).await?;
        found
            .iter()
            .map(|item| Ok((Attributes(item).text("pk")?.to_owned(), decode(item)?.account)))
            .collect()
    }
}

fn decode_entry(item: &Item) -> Result<(OrgId, Timestamp), StoreError> {
    let attributes = Attributes(item);
    Ok((attributes.parsed("org")?, attributes.moment("created")?))
}
