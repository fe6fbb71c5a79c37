//! Lists of a library, and the counts of its assets.

use std::cmp::Reverse;

use aws_sdk_dynamodb::types::AttributeValue;
use strum::{EnumCount, IntoEnumIterator};

use super::assets::{Asset, Assets};
use super::batch::batch_get;
use super::client::Dynamo;
use super::error::StoreError;
use super::head::{self, Head};
use super::item::{Attributes, Item, key, text};
use super::query::{query, query_all};
use super::{keys, tables};
use crate::types::{AssetId, AssetState, OrgId};

/// How many assets of one state are read at a time: few enough not to read far past a page of large ones.
const SLICE: usize = 25;

/// Which assets are wanted.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// Only those in one state.
    pub state: Option<AssetState>,
    /// Only those older than this one.
    pub after: Option<AssetId>,
    /// How many at most.
    pub limit: usize,
    /// How many bytes of escaped JSON at most, unless a single asset has more.
    pub max_escaped_bytes: usize,
}

impl PageRequest {
    fn wants(&self, state: AssetState) -> bool {
        self.state.is_none_or(|wanted| wanted == state)
    }
}

/// Assets, newest first.
#[derive(Clone, Debug)]
pub struct AssetPage {
    pub assets: Vec<Asset>,
    /// Where the next page goes on; `None` when there is none.
    pub next: Option<AssetId>,
}

/// How many assets of a library are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([i64; AssetState::COUNT]);

impl Counts {
    /// Returns the assets in a state.
    pub fn of(&self, state: AssetState) -> i64 {
        self.0[state as usize]
    }

    /// Returns the assets in any state.
    pub fn total(&self) -> i64 {
        self.0.iter().sum()
    }
}

impl Assets {
    /// Counts a library's assets by state, from counters: one call, however many assets there are.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn counts(&self, org: &OrgId) -> Result<Counts, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let shards = query_all(client, assets, &keys::library(self.family, org), keys::COUNT).await?;
        let mut counts = Counts::default();
        for shard in &shards {
            for state in AssetState::iter() {
                counts.0[state as usize] += Attributes(shard).optional_number(state.as_str())?.unwrap_or(0);
            }
        }
        Ok(counts)
    }

    /// Lists a library's assets, newest first; a page ends early rather than pass its bytes.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(&self, org: &OrgId, request: &PageRequest) -> Result<AssetPage, StoreError> {
        let (heads, next) = match request.state {
            None => self.heads(org, request).await?,
            Some(state) => self.heads_in_state(org, state, request).await?,
        };
        let mut page = AssetPage { assets: Vec::with_capacity(heads.len()), next };
        let mut room = request.max_escaped_bytes;
        for head in heads {
            let asset = match self.read_body(org, &head).await? {
                Some(body) => Some(Asset { head, body }),
                // It was edited, moved or deleted since: what it is now takes its place, if it belongs here
                // still.
                None => self.read(org, head.id).await?.filter(|asset| request.wants(asset.head.state)),
            };
            let Some(asset) = asset else { continue };
            match room.checked_sub(asset.head.escaped_bytes) {
                Some(left) => room = left,
                // It has grown since: the page ends before it.
                None if !page.assets.is_empty() => {
                    page.next = page.assets.last().map(|asset| asset.head.id);
                    break;
                }
                None => room = 0,
            }
            page.assets.push(asset);
        }
        Ok(page)
    }

    async fn heads(
        &self,
        org: &OrgId,
        request: &PageRequest,
    ) -> Result<(Vec<Head>, Option<AssetId>), StoreError> {
        let library = keys::library(self.family, org);
        let mut start = request.after.map(|id| key(&library, keys::asset(id)));
        let mut page = PageBuilder::new(request);
        loop {
            let Dynamo { client, assets, .. } = &self.dynamo;
            let output = query(client, assets, &library, keys::ASSET)
                .scan_index_forward(false)
                .limit(i32::try_from(page.room() + 1).unwrap_or(i32::MAX))
                .set_exclusive_start_key(start)
                .send()
                .await?;
            for item in output.items() {
                if !page.take(head::decode(item)?) {
                    return Ok(page.cut());
                }
            }
            start = output.last_evaluated_key;
            if start.is_none() {
                return Ok((page.heads, None));
            }
        }
    }

    async fn heads_in_state(
        &self,
        org: &OrgId,
        state: AssetState,
        request: &PageRequest,
    ) -> Result<(Vec<Head>, Option<AssetId>), StoreError> {
        let mut ids = self.ids_in_state(org, state, request).await?;
        let more = ids.len() > request.limit;
        ids.truncate(request.limit);
        let library = keys::library(self.family, org);
        let mut page = PageBuilder::new(request);
        for slice in ids.chunks(SLICE) {
            let keys = slice.iter().map(|id| key(&library, keys::asset(*id))).collect();
            let items = batch_get(&self.dynamo, &self.dynamo.assets, keys).await?;
            let mut heads = items.iter().map(head::decode).collect::<Result<Vec<_>, _>>()?;
            // The index lags: what has moved to another state is dropped.
            heads.retain(|head| head.state == state);
            heads.sort_by_key(|head| Reverse(head.id));
            for head in heads {
                if !page.take(head) {
                    return Ok(page.cut());
                }
            }
        }
        Ok((page.heads, ids.last().copied().filter(|_| more)))
    }

    async fn ids_in_state(
        &self,
        org: &OrgId,
        state: AssetState,
        request: &PageRequest,
    ) -> Result<Vec<AssetId>, StoreError> {
        let partition = keys::by_state(self.family, org, state);
        let start = request.after.map(|id| {
            let mut start: Item = key(keys::library(self.family, org), keys::asset(id));
            start.insert(tables::BY_STATE.to_owned(), AttributeValue::S(partition.clone()));
            start
        });
        let query = self.dynamo.client.query().table_name(&self.dynamo.assets).index_name(tables::BY_STATE);
        let output = query
            .key_condition_expression("by_state = :state")
            .expression_attribute_values(":state", text(&partition))
            .scan_index_forward(false)
            .limit(i32::try_from(request.limit + 1).unwrap_or(i32::MAX))
            .set_exclusive_start_key(start)
            .send()
            .await?;
        output.items().iter().map(head::decode_id).collect()
    }
}

/// A page on its way: the heads that it takes until it is full.
struct PageBuilder<'a> {
    request: &'a PageRequest,
    heads: Vec<Head>,
    escaped_bytes: usize,
}

impl<'a> PageBuilder<'a> {
    fn new(request: &'a PageRequest) -> Self {
        Self { request, heads: Vec::new(), escaped_bytes: 0 }
    }

    fn room(&self) -> usize {
        self.request.limit - self.heads.len()
    }

    /// Takes an asset; `false` when the page is full without it.
    fn take(&mut self, head: Head) -> bool {
        let escaped_bytes = self.escaped_bytes + head.escaped_bytes;
        if self.room() == 0 || (!self.heads.is_empty() && escaped_bytes > self.request.max_escaped_bytes) {
            return false;
        }
        self.escaped_bytes = escaped_bytes;
        self.heads.push(head);
        true
    }

    fn cut(self) -> (Vec<Head>, Option<AssetId>) {
        let last = self.heads.last().map(|head| head.id);
        (self.heads, last)
    }
}
