//! Lists an organization's assets and counts them by state.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use accounting::{OrgId, Timestamp};
use strum::IntoEnumIterator;

use super::assets::{Asset, Assets};
use super::batch::batch_get;
use super::client::Dynamo;
use super::error::StoreError;
use super::head::{Head, IndexedMembers};
use super::item::{Stored, attribute, end_of_sort_key, key, text};
use super::keys;
use super::query::{page, query, query_all};
use super::tables::BY_STATE;
use crate::{AssetId, AssetState, CustomerDigest, CustomerScenarioDigest, NormalizedName};

/// The number of assets read per call, without their bodies. A larger number would waste reads if a page has
/// room for only a few large assets.
const SLICE: usize = 25;

/// The criteria for a list of assets. An asset must meet all criteria that are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetFilter {
    /// The asset must be in one of these states. If the set is empty, any state matches.
    pub states: BTreeSet<AssetState>,
    pub customer_scenario: Option<CustomerScenarioDigest>,
    pub customer: Option<CustomerDigest>,
    /// A prefix of the scenario's name or of the customer's name for it.
    pub name: Option<NormalizedName>,
    /// Matches assets that were last changed at or after this time. State changes count as changes.
    pub updated_since: Option<Timestamp>,
}

impl AssetFilter {
    /// Returns whether the filter has no criteria other than states.
    pub fn is_by_state_only(&self) -> bool {
        *self == Self { states: self.states.clone(), ..Self::default() }
    }

    fn keeps(&self, head: &Head) -> bool {
        let Self { states, customer_scenario, customer, name, updated_since } = self;
        let IndexedMembers { name: own, customer_scenario_name: theirs, .. } = &head.indexed;
        let has = |wanted: &Option<_>, own: &Option<_>| wanted.is_none() || wanted == own;
        (states.is_empty() || states.contains(&head.state))
            && has(customer_scenario, &head.indexed.customer_scenario)
            && has(customer, &head.indexed.customer)
            && name.as_ref().is_none_or(|beginning| {
                [own, theirs].into_iter().flatten().any(|name| name.begins_with(beginning))
            })
            && updated_since.is_none_or(|since| head.updated_at >= since)
    }
}

/// A request for one page of a list.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub filter: AssetFilter,
    /// The asset after which the page starts, or `None` for the first page.
    pub after: Option<AssetId>,
    /// The maximum number of assets.
    pub limit: usize,
}

/// A page of assets, with or without their bodies, newest first.
#[derive(Clone, Debug)]
pub struct Page<T> {
    pub assets: Vec<T>,
    /// The asset after which the next page starts, or `None` if this is the last page.
    pub next: Option<AssetId>,
    /// The number of assets on all pages, if it's known after reading this page.
    pub matched: Option<usize>,
}

/// The assets that a page may contain, newest first.
pub(super) struct Candidates {
    pub(super) ids: Vec<AssetId>,
    /// The asset after which the next page starts if this page contains all candidates, or `None` if this is
    /// the last page.
    pub(super) next: Option<AssetId>,
    /// The number of candidates on all pages, if it's known.
    pub(super) matched: Option<usize>,
}

impl Candidates {
    /// Creates candidates from a page of IDs. `has_more` is true if more assets follow.
    pub(super) fn of_page(ids: Vec<AssetId>, has_more: bool) -> Self {
        let next = ids.last().copied().filter(|_| has_more);
        Self { ids, next, matched: None }
    }

    /// Sets the number of candidates on all pages if this is the first page. `matched` is the number of
    /// candidates on this page and all later pages.
    pub(super) fn with_matched(self, matched: Option<usize>, request: &PageRequest) -> Self {
        Self { matched: matched.filter(|_| request.after.is_none()), ..self }
    }
}

/// The number of an organization's assets in each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(HashMap<AssetState, i64>);

impl Counts {
    /// Returns the number of assets in a state.
    pub fn of(&self, state: AssetState) -> i64 {
        self.0.get(&state).copied().unwrap_or(0)
    }

    /// Returns the number of assets in some states, or in all states if the set is empty.
    pub fn of_states(&self, states: &BTreeSet<AssetState>) -> i64 {
        if states.is_empty() { self.total() } else { states.iter().map(|state| self.of(*state)).sum() }
    }

    /// Returns the number of assets in all states.
    pub fn total(&self) -> i64 {
        self.0.values().sum()
    }
}

impl Assets {
    /// Counts an organization's assets by state. Reads only counters, with one query, regardless of the
    /// number of assets.
    pub async fn counts(&self, org: &OrgId) -> Result<Counts, StoreError> {
        let Dynamo { client, assets, .. } = &self.dynamo;
        let shards = query_all(client, assets, &keys::library(self.family, org), keys::COUNT).await?;
        let mut counts = Counts::default();
        for shard in &shards {
            for state in AssetState::iter() {
                let counted = attribute::<Option<i64>>(shard, state.as_str())?.unwrap_or(0);
                *counts.0.entry(state).or_default() += counted;
            }
        }
        Ok(counts)
    }

    /// Lists an organization's assets, newest first. A page contains at most `max_escaped_bytes` of escaped
    /// JSON, unless its first asset is larger.
    pub async fn list(
        &self,
        org: &OrgId,
        request: &PageRequest,
        max_escaped_bytes: usize,
    ) -> Result<Page<Asset>, StoreError> {
        let Page { assets: heads, next, matched } = self.heads(org, request, max_escaped_bytes).await?;
        let mut page = Page { assets: Vec::with_capacity(heads.len()), next, matched };
        let mut room = max_escaped_bytes;
        for head in heads {
            let asset = match self.read_body(org, &head).await? {
                Some(body) => Some(Asset { head, body }),
                // The asset has been changed or deleted since its head was read. Return the current version
                // if it still matches the filter.
                None => self.read(org, head.id).await?.filter(|asset| request.filter.keeps(&asset.head)),
            };
            let Some(asset) = asset else {
                page.matched = None;
                continue;
            };
            match room.checked_sub(asset.head.escaped_bytes) {
                Some(left) => room = left,
                // The asset has grown since its head was read, so the page ends before it.
                None if !page.assets.is_empty() => {
                    page.next = page.assets.last().map(|asset: &Asset| asset.head.id);
                    break;
                }
                None => room = 0,
            }
            page.assets.push(asset);
        }
        Ok(page)
    }

    /// Lists an organization's assets without their bodies, newest first.
    pub async fn list_heads(&self, org: &OrgId, request: &PageRequest) -> Result<Page<Head>, StoreError> {
        self.heads(org, request, usize::MAX).await
    }

    /// Reads a page of assets without their bodies, with the cheapest query for the filter.
    async fn heads(
        &self,
        org: &OrgId,
        request: &PageRequest,
        max_escaped_bytes: usize,
    ) -> Result<Page<Head>, StoreError> {
        let page = PageBuilder::new(request.limit, max_escaped_bytes);
        let candidates = match &request.filter {
            AssetFilter { customer_scenario: Some(digest), .. } => {
                let only_this =
                    AssetFilter { customer_scenario: Some(digest.clone()), ..AssetFilter::default() };
                self.ids_of_customer(org, &keys::customer_scenario(digest), &only_this, request).await?
            }
            AssetFilter { customer: Some(digest), .. } => {
                let only_this = AssetFilter { customer: Some(digest.clone()), ..AssetFilter::default() };
                self.ids_of_customer(org, &keys::customer(digest), &only_this, request).await?
            }
            AssetFilter { name: Some(_), .. } | AssetFilter { updated_since: Some(_), .. } => {
                self.ids_in_library(org, request).await?
            }
            AssetFilter { states, .. } if states.is_empty() => {
                return self.newest_heads(org, request.after, page).await;
            }
            AssetFilter { states, .. } => self.ids_in_states(org, states, request).await?,
        };
        self.heads_of(org, candidates, &request.filter, page).await
    }

    async fn newest_heads(
        &self,
        org: &OrgId,
        after: Option<AssetId>,
        mut page: PageBuilder,
    ) -> Result<Page<Head>, StoreError> {
        let library = keys::library(self.family, org);
        let mut start = after.map(|id| key(&library, keys::asset(id)));
        loop {
            let Dynamo { client, assets, .. } = &self.dynamo;
            let output = query(client, assets, &library, keys::ASSET)
                .scan_index_forward(false)
                .limit(i32::try_from(page.room() + 1).unwrap_or(i32::MAX))
                .set_exclusive_start_key(start)
                .send()
                .await?;
            for item in output.items() {
                if !page.take(Head::load(item)?) {
                    return Ok(page.cut(None));
                }
            }
            start = output.last_evaluated_key;
            if start.is_none() {
                return Ok(page.end(None, None));
            }
        }
    }

    async fn heads_of(
        &self,
        org: &OrgId,
        candidates: Candidates,
        filter: &AssetFilter,
        mut page: PageBuilder,
    ) -> Result<Page<Head>, StoreError> {
        let Candidates { ids, next, mut matched } = candidates;
        let library = keys::library(self.family, org);
        for slice in ids.chunks(SLICE) {
            let keys = slice.iter().map(|id| key(&library, keys::asset(*id))).collect();
            let items = batch_get(&self.dynamo, &self.dynamo.assets, keys).await?;
            let mut heads = items.iter().map(Head::load).collect::<Result<Vec<_>, _>>()?;
            // Omit assets that don't match the filter. Some indexes are updated with a delay, and the indexes
            // by customer ID check only one criterion.
            heads.retain(|head| filter.keeps(head));
            if heads.len() < slice.len() {
                matched = None;
            }
            heads.sort_by_key(|head| Reverse(head.id));
            for head in heads {
                if !page.take(head) {
                    return Ok(page.cut(matched));
                }
            }
        }
        Ok(page.end(next, matched))
    }

    /// Finds a page of assets in any of several states, with one query per state.
    async fn ids_in_states(
        &self,
        org: &OrgId,
        states: &BTreeSet<AssetState>,
        request: &PageRequest,
    ) -> Result<Candidates, StoreError> {
        // An asset whose state is changing can be in the index under two states, so the set removes
        // duplicates.
        let (mut ids, mut has_more) = (BTreeSet::new(), false);
        for state in states {
            let (of_state, more) = self.ids_in_state(org, *state, request).await?;
            ids.extend(of_state);
            has_more |= more;
        }
        has_more |= ids.len() > request.limit;
        Ok(Candidates::of_page(ids.into_iter().rev().take(request.limit).collect(), has_more))
    }

    /// Returns up to one page of assets in a state, and whether the state has more assets.
    async fn ids_in_state(
        &self,
        org: &OrgId,
        state: AssetState,
        request: &PageRequest,
    ) -> Result<(Vec<AssetId>, bool), StoreError> {
        let partition = keys::by_state(self.family, org, state);
        let start = request.after.map(|id| {
            let mut start = key(keys::library(self.family, org), keys::asset(id));
            start.insert(BY_STATE.to_owned(), text(&partition));
            start
        });
        let query = self.dynamo.client.query().table_name(&self.dynamo.assets).index_name(BY_STATE);
        let query = query
            .key_condition_expression("by_state = :state")
            .expression_attribute_values(":state", text(&partition))
            .scan_index_forward(false);
        let (items, has_more) = page(query, start, request.limit).await?;
        Ok((items.iter().map(end_of_sort_key).collect::<Result<_, _>>()?, has_more))
    }
}

/// A page under construction, with the assets added so far.
struct PageBuilder {
    limit: usize,
    max_escaped_bytes: usize,
    heads: Vec<Head>,
    escaped_bytes: usize,
}

impl PageBuilder {
    fn new(limit: usize, max_escaped_bytes: usize) -> Self {
        Self { limit, max_escaped_bytes, heads: Vec::new(), escaped_bytes: 0 }
    }

    fn room(&self) -> usize {
        self.limit - self.heads.len()
    }

    /// Adds an asset. Returns `false` if the page has no room for it.
    fn take(&mut self, head: Head) -> bool {
        let escaped_bytes = self.escaped_bytes + head.escaped_bytes;
        if self.room() == 0 || (!self.heads.is_empty() && escaped_bytes > self.max_escaped_bytes) {
            return false;
        }
        self.escaped_bytes = escaped_bytes;
        self.heads.push(head);
        true
    }

    /// Ends the page before an asset that doesn't fit.
    fn cut(self, matched: Option<usize>) -> Page<Head> {
        let next = self.heads.last().map(|head| head.id);
        self.end(next, matched)
    }

    fn end(self, next: Option<AssetId>, matched: Option<usize>) -> Page<Head> {
        Page { assets: self.heads, next, matched }
    }
}
