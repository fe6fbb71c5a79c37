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
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use super::transaction::put;

/// How many accounts are read with one call.
const ACCOUNTS_READ: usize = 100;

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
        let mut item = key(keys::DIRECTORY, keys::organization_in_directory(org));
        item.insert("org".to_owned(), text(org.as_str()));
        item.insert("created".to_owned(), number(created_at.unix_millis()));
        put(&self.0.accounts, item)
    }

    /// Reads a page of the directory, and whether there is a further one: it reads one entry more than the
    /// page has.
    async fn entries(
        &self,
        after: Option<&OrgId>,
        limit: usize,
    ) -> Result<(Vec<(OrgId, Timestamp)>, bool), StoreError> {
        let mut start = after.map(|org| key(keys::DIRECTORY, keys::organization_in_directory(org)));
        let mut entries = Vec::new();
        loop {
            let query = self.0.client.query().table_name(&self.0.accounts);
            let query = query
                .key_condition_expression("pk = :pk")
                .expression_attribute_values(":pk", text(keys::DIRECTORY))
                .limit(i32::try_from(limit + 1 - entries.len()).unwrap_or(i32::MAX))
                .set_exclusive_start_key(start)
                .consistent_read(true);
            let output = query.send().await?;
            for item in output.items.unwrap_or_default() {
                entries.push(decode_entry(&item)?);
            }
            start = output.last_evaluated_key;
            if start.is_none() || entries.len() > limit {
                let has_more = entries.len() > limit;
                entries.truncate(limit);
                return Ok((entries, has_more));
            }
        }
    }

    /// Reads the accounts of organizations, by their partitions.
    async fn accounts_of(
        &self,
        entries: &[(OrgId, Timestamp)],
    ) -> Result<HashMap<String, Account>, StoreError> {
        let mut accounts = HashMap::new();
        for some in entries.chunks(ACCOUNTS_READ) {
            let wanted = some.iter().map(|(org, _)| account_key(&AccountKey::Org(org.clone())));
            for item in batch_get(&self.0, &self.0.accounts, wanted.collect()).await? {
                accounts.insert(Attributes(&item).text("pk")?.to_owned(), decode(&item)?.account);
            }
        }
        Ok(accounts)
    }
}

fn decode_entry(item: &Item) -> Result<(OrgId, Timestamp), StoreError> {
    let attributes = Attributes(item);
    let created_at = Timestamp::from_unix_millis(attributes.number("created")?);
    Ok((attributes.parsed("org")?, created_at))
}
