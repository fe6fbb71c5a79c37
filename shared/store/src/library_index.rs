//! The index of all assets, with the attributes that lists filter by. For each page, a limited number of
//! small entries is read, and only the bodies of the assets on the page.
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

/// The maximum number of entries that are read for a page. The descriptions of `name` and `updated_since` in
/// openapi.yaml state this limit.
const MAX_ENTRIES: i32 = 1_000;

impl Assets {
    /// Finds the assets of a page among the next entries of the index, with one query.
    pub(super) async fn ids_in_library(
        &self,
        org: &OrgId,
        request: &PageRequest,
    ) -> Result<Candidates, StoreError> {
        let library = keys::library(self.family, org);
        let start = request.after.map(|id| {
            let mut start = key(&library, keys::asset(id));
            start.insert(BY_LIBRARY.to_owned(), text(&library));
            start
        });
        let filter = expression(&request.filter);
        let query = self.dynamo.client.query().table_name(&self.dynamo.assets).index_name(BY_LIBRARY);
        let output = query
            .key_condition_expression("by_library = :library")
            .set_filter_expression(filter.condition())
            .set_expression_attribute_names(filter.names())
            .set_expression_attribute_values(filter.values())
            .expression_attribute_values(":library", text(&library))
            .scan_index_forward(false)
            .limit(MAX_ENTRIES)
            .set_exclusive_start_key(start)
            .send()
            .await?;
        let mut ids: Vec<_> = output.items().iter().map(end_of_sort_key).collect::<Result<_, _>>()?;
        if ids.len() > request.limit {
            ids.truncate(request.limit);
            return Ok(Candidates::of_page(ids, true));
        }
        let next = output.last_evaluated_key.as_ref().map(end_of_sort_key).transpose()?;
        Ok(Candidates { ids, next })
    }
}

/// Converts a filter to a database expression that selects entries of the index.
fn expression(filter: &AssetFilter) -> Expression {
    let AssetFilter { state, customer_scenario: _, name, updated_since } = filter;
    let mut expression = Expression::default();
    if let Some(state) = state {
        expression.require_equal("state", text(state.as_str()));
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
