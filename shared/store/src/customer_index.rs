//! Indexes of assets by `customer_scenario_id` and by `customer_id`. Index items are written in the same
//! transaction as the asset, so lists that filter by these IDs are always up to date.

use accounting::OrgId;
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::assets::Assets;
use super::client::Dynamo;
use super::error::StoreError;
use super::head::IndexedMembers;
use super::item::{end_of_sort_key, key};
use super::keys;
use super::listing::{AssetFilter, Candidates, PageRequest};
use super::query::{page, query};
use super::transaction::{delete, put};
use crate::AssetId;

impl Assets {
    /// Returns the writes that update the indexes when an asset is created, changed, or deleted. `before` is
    /// `None` for a new asset, and `after` is `None` for a deleted asset. IDs that don't change need no
    /// writes.
    pub(super) fn move_in_customer_index(
        &self,
        org: &OrgId,
        id: AssetId,
        before: Option<&IndexedMembers>,
        after: Option<&IndexedMembers>,
    ) -> Vec<TransactWriteItem> {
        let library = keys::library(self.family, org);
        let item_key = |prefix: String| key(&library, keys::asset_of_customer(&prefix, id));
        let [before, after] = [before, after].map(|members| members.map(prefixes).unwrap_or_default());
        let table = &self.dynamo.assets;
        let mut writes = Vec::new();
        for (before, after) in before.into_iter().zip(after).filter(|(before, after)| before != after) {
            writes.extend(before.map(|prefix| delete(table, item_key(prefix))));
            writes.extend(after.map(|prefix| put(table, item_key(prefix))));
        }
        writes
    }

    /// Finds a page of assets by one of the two IDs, with one query. `prefix` is the sort key prefix for the
    /// ID, and `only_this` is a filter by this ID without other criteria.
    pub(super) async fn ids_of_customer(
        &self,
        org: &OrgId,
        prefix: &str,
        only_this: &AssetFilter,
        request: &PageRequest,
    ) -> Result<Candidates, StoreError> {
        let library = keys::library(self.family, org);
        let start = request.after.map(|id| key(&library, keys::asset_of_customer(prefix, id)));
        let Dynamo { client, assets, .. } = &self.dynamo;
        let query = query(client, assets, &library, prefix).scan_index_forward(false);
        let (items, has_more) = page(query, start, request.limit).await?;
        let ids: Vec<_> = items.iter().map(end_of_sort_key).collect::<Result<_, _>>()?;
        // If the filter has other criteria, the number of matches isn't known yet, because these criteria are
        // checked only after the assets are read.
        let matched = (!has_more && request.filter == *only_this).then_some(ids.len());
        Ok(Candidates::of_page(ids, has_more).with_matched(matched, request))
    }
}

/// Returns the sort key prefixes for the `customer_scenario_id` and the `customer_id`.
fn prefixes(members: &IndexedMembers) -> [Option<String>; 2] {
    let IndexedMembers { customer_scenario, customer, .. } = members;
    [customer_scenario.as_ref().map(keys::customer_scenario), customer.as_ref().map(keys::customer)]
}
