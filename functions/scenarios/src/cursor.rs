//! The name of a list of assets, which its cursors belong to.

use accounting::OrgId;
use store::{AssetFilter, AssetState, CustomerScenarioDigest, Family, FoldedName};

/// Names the list that a cursor belongs to; it is refused in any other.
pub(crate) fn list_name(org: &OrgId, family: Family, filter: &AssetFilter) -> String {
    let AssetFilter { state, customer_scenario, name, updated_since } = filter;
    let state = state.map_or("", AssetState::as_str);
    let customer_scenario = customer_scenario.as_ref().map_or("", CustomerScenarioDigest::as_str);
    let updated_since = updated_since.map(|since| since.to_string()).unwrap_or_default();
    // The name alone may have line breaks of its own: it comes last.
    let name = name.as_ref().map_or("", FoldedName::as_str);
    format!("{org}\n{family}\n{state}\n{customer_scenario}\n{updated_since}\n{name}")
}
