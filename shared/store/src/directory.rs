//! The directory: one partition that lists all organizations.
//!
//! The directory doesn't contain account data. The accounts on a page are read separately.

use std::collections::HashMap;

use accounting::{Account, AccountKey, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::accounts::{Accounts, account_key};
use super::batch::batch_get;
use super::error::StoreError;
use super::item::{NewItem, Stored, attribute, key};
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

/// A page of organizations, ordered by ID.
#[derive(Clone, Debug)]
pub struct OrgPage {
    pub organizations: Vec<ListedOrg>,
    /// Whether more organizations follow.
    pub has_more: bool,
}

impl Accounts {
    /// Lists up to `limit` organizations, starting after `after`.
    pub async fn list(&self, after: Option<&OrgId>, limit: usize) -> Result<OrgPage, StoreError> {
        let start = after.map(|org| key(keys::DIRECTORY, keys::organization_in_directory(org)));
        let query = query_partition(&self.0.client, &self.0.accounts, keys::DIRECTORY);
        let (entries, has_more) = page(query, start, limit).await?;
        let orgs = entries.iter().map(|entry| attribute(entry, "org")).collect::<Result<Vec<OrgId>, _>>()?;
        let wanted = orgs.iter().map(|org| account_key(&AccountKey::Org(org.clone()))).collect();
        let found = batch_get(&self.0, &self.0.accounts, wanted).await?;
        let account = |item| Ok::<_, StoreError>((attribute::<String>(item, "pk")?, Account::load(item)?));
        let mut accounts: HashMap<_, _> = found.iter().map(account).collect::<Result<_, _>>()?;
        let listed = |(org, entry)| {
            let account = accounts.remove(&keys::organization(&org)).ok_or(StoreError::Missing("account"))?;
            Ok::<_, StoreError>(ListedOrg { org, created_at: attribute(entry, "created")?, account })
        };
        let organizations = orgs.into_iter().zip(&entries).map(listed).collect::<Result<_, _>>()?;
        Ok(OrgPage { organizations, has_more })
    }

    /// Returns the write that adds an organization to the directory.
    pub(super) fn directory_entry(&self, org: &OrgId, created_at: Timestamp) -> TransactWriteItem {
        let item = NewItem::of_key(keys::DIRECTORY, keys::organization_in_directory(org))
            .with("org", org)
            .with("created", &created_at);
        put(&self.0.accounts, item.build())
    }
}
