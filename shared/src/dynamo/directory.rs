//! The directory of organizations: one partition that names them all, so that they can be listed.
//!
//! It says nothing that the accounts say: those are read with each page.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::account_item::decode;
use super::accounts::{Accounts, account_key};
use super::batch::batch_get;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use crate::types::{Account, AccountKey, OrgId, Timestamp};

/// How many accounts are read with one call.
const ACCOUNTS_READ: usize = 100;

/// An organization in the directory, with its account.
#[derive(Clone, Debug)]
pub struct ListedOrg {
    pub org: OrgId,
    /// When it was created; `None` of one that was created before there was a directory.
    pub created_at: Option<Timestamp>,
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

    /// Makes the write that enters an organization into the directory; one that is there keeps its place.
    pub(super) fn directory_entry(&self, org: &OrgId, created_at: Option<Timestamp>) -> TransactWriteItem {
        let mut expression = Expression::default();
        expression.set("org", text(org.as_str()));
        if let Some(at) = created_at {
            expression.set("created", number(at.unix_millis()));
        }
        let item_key = key(keys::DIRECTORY, keys::organization_in_directory(org));
        expression.into_write(&self.0.accounts, item_key, ReturnValuesOnConditionCheckFailure::None)
    }

    /// Reads a page of the directory, and whether there is a further one: it reads one entry more than the
    /// page has.
    async fn entries(
        &self,
        after: Option<&OrgId>,
        limit: usize,
    ) -> Result<(Vec<(OrgId, Option<Timestamp>)>, bool), StoreError> {
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
        entries: &[(OrgId, Option<Timestamp>)],
    ) -> Result<HashMap<String, Account>, StoreError> {
        let mut accounts = HashMap::new();
        for some in entries.chunks(ACCOUNTS_READ) {
            let wanted = some.iter().map(|(org, _)| account_key(&AccountKey::Org(org.clone())));
            for item in batch_get(&self.0, &self.0.accounts, wanted.collect()).await? {
                accounts.insert(Attributes(&item).text("pk")?.to_owned(), decode(&item)?);
            }
        }
        Ok(accounts)
    }
}

fn decode_entry(item: &Item) -> Result<(OrgId, Option<Timestamp>), StoreError> {
    let attributes = Attributes(item);
    let created_at = attributes.optional_number("created")?.map(Timestamp::from_unix_millis);
    Ok((attributes.parsed("org")?, created_at))
}
