//! The index of all assets, which contains the attributes that lists can be filtered by. Listing a page reads
//! a limited number of small index entries, and then only the assets on the page.
//!
//! See `docs/decisions/0028-list-filters.md`.

use accounting::OrgId;

use super::assets::Assets;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{end_of_sort_key, key, moment, text};
use super::keys;
use super::listing::{AssetFilter, Candidates, PageRequest};
use super::tables::{BY_LIBRARY, CUSTOMER_SCENARIO_NAME, NAME};

/// The maximum number of index entries examined per page. It's also stated in openapi.yaml.
const MAX_ENTRIES: i32 = 25_000;

/// The number of index entries examined in the first query for a page. It's enough for most pages.
const FIRST_ENTRIES: i32 = 1_000;

impl Assets {
    /// Finds a page of assets among the next index entries. Stops when the page is full.
    pub(super) async fn ids_in_library(
        &self,
        org: &OrgId,
        request: &PageRequest,
    ) -> Result<Candidates, StoreError> {
        let library = keys::library(self.family, org);
        let mut start = request.after.map(|id| {
            let mut start = key(&library, keys::asset(id));
            start.insert(BY_LIBRARY.to_owned(), text(&library));
            start
        });
        let filter = expression(&request.filter);
        let query = self.dynamo.client.query().table_name(&self.dynamo.assets).index_name(BY_LIBRARY);
        let query = query
            .key_condition_expression("by_library = :library")
            .set_filter_expression(filter.condition())
            .set_expression_attribute_names(filter.names())
            .set_expression_attribute_values(filter.values())
            .expression_attribute_values(":library", text(&library))
            .scan_index_forward(false);
        let (mut ids, mut examined) = (Vec::new(), 0);
        while ids.len() <= request.limit {
            let most = if examined == 0 { FIRST_ENTRIES } else { MAX_ENTRIES - examined };
            let output = query.clone().limit(most).set_exclusive_start_key(start).send().await?;
            for item in output.items() {
                ids.push(end_of_sort_key(item)?);
            }
            examined += output.scanned_count;
            start = output.last_evaluated_key;
            if start.is_none() || examined >= MAX_ENTRIES {
                break;
            }
        }
        let matched = start.is_none().then_some(ids.len());
        let candidates = if ids.len() > request.limit {
            ids.truncate(request.limit);
            Candidates::of_page(ids, true)
        } else {
            Candidates { ids, next: start.as_ref().map(end_of_sort_key).transpose()?, matched: None }
        };
        Ok(candidates.with_matched(matched, request))
    }
}

/// Converts a filter to a database expression that selects index entries.
fn expression(filter: &AssetFilter) -> Expression {
    let AssetFilter { states, customer_scenario: _, customer: _, name, updated_since } = filter;
    let mut expression = Expression::default();
    if !states.is_empty() {
        let name = expression.name("state");
        let values: Vec<_> = states.iter().map(|state| expression.value(text(state.as_str()))).collect();
        expression.require(format!("{name} IN ({})", values.join(", ")));
    }
    if let Some(beginning) = name {
        let beginning = expression.value(text(beginning.as_str()));
        let begins = [NAME, CUSTOMER_SCENARIO_NAME]
            .map(|attribute| format!("begins_with({}, {beginning})", expression.name(attribute)));
        expression.require(format!("({})", begins.join(" OR ")));
    }
    if let Some(since) = updated_since {
        let (updated, since) = (expression.name("updated"), expression.value(moment(*since)));
        expression.require(format!("{updated} >= {since}"));
    }
    expression
}
