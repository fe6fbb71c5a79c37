//! Names a list of assets, so that its cursors work only for that list.

use accounting::OrgId;
use store::{AssetFilter, AssetState, CustomerScenarioDigest, Family, NormalizedName};

/// Returns a string that identifies a list by its organization, family, and filters. A cursor is valid only
/// for the list that issued it.
pub(crate) fn list_name(org: &OrgId, family: Family, filter: &AssetFilter) -> String {
    let AssetFilter { state, customer_scenario, name, updated_since } = filter;
    let state = state.map_or("", AssetState::as_str);
    let customer_scenario = customer_scenario.as_ref().map_or("", CustomerScenarioDigest::as_str);
    let updated_since = updated_since.map(|since| since.to_string()).unwrap_or_default();
    // `name` comes last, because only names can contain line breaks.
    let name = name.as_ref().map_or("", NormalizedName::as_str);
    format!("{org}\n{family}\n{state}\n{customer_scenario}\n{updated_since}\n{name}")
}
