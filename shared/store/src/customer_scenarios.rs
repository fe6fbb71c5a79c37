//! The index of assets by `customer_scenario_id`. Its items are written in the same transactions as the
//! heads, so lists that filter by this ID are always up to date.

use accounting::OrgId;
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::assets::Assets;
use super::client::Dynamo;
use super::error::StoreError;
use super::item::{end_of_sort_key, key};
use super::keys;
use super::listing::{AssetFilter, Candidates, PageRequest};
use super::query::{page, query};
use super::transaction::{delete, put};
use crate::{AssetId, CustomerScenarioDigest};

impl Assets {
    /// Returns the writes that move an asset from one `customer_scenario_id` to another. Either ID can be
    /// `None`. Returns no writes if the ID doesn't change.
    pub(super) fn move_in_customer_scenarios(
        &self,
        org: &OrgId,
        id: AssetId,
        before: Option<&CustomerScenarioDigest>,
        after: Option<&CustomerScenarioDigest>,
    ) -> Vec<TransactWriteItem> {
        if before == after {
            return Vec::new();
        }
        let item_key =
            |digest| key(keys::library(self.family, org), keys::asset_of_customer_scenario(digest, id));
        let table = &self.dynamo.assets;
        let left = before.map(|digest| delete(table, item_key(digest)));
        left.into_iter().chain(after.map(|digest| put(table, item_key(digest)))).collect()
    }

    /// Finds the assets of a page by their `customer_scenario_id`, with one query.
    pub(super) async fn ids_of_customer_scenario(
        &self,
        org: &OrgId,
        digest: &CustomerScenarioDigest,
        request: &PageRequest,
    ) -> Result<Candidates, StoreError> {
        let library = keys::library(self.family, org);
        let prefix = keys::customer_scenario(digest);
        let start = request.after.map(|id| key(&library, keys::asset_of_customer_scenario(digest, id)));
        let Dynamo { client, assets, .. } = &self.dynamo;
        let query = query(client, assets, &library, &prefix).scan_index_forward(false);
        let (items, has_more) = page(query, start, request.limit).await?;
        let ids: Vec<_> = items.iter().map(end_of_sort_key).collect::<Result<_, _>>()?;
        // The other criteria are checked after the heads are read.
        let only_this = AssetFilter { customer_scenario: Some(digest.clone()), ..AssetFilter::default() };
        let matched = (!has_more && request.filter == only_this).then_some(ids.len());
        Ok(Candidates::of_page(ids, has_more).with_matched(matched, request))
    }
}
