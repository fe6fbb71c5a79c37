//! Names for asset lists. A cursor contains its list's name, so it works only for that list.

use accounting::OrgId;
use store::{AssetFilter, CustomerDigest, CustomerScenarioDigest, Family, NormalizedName};

/// Returns a string that identifies a list by its organization, family, and filters. A cursor is valid only
/// for the list that issued it.
pub(crate) fn list_name(org: &OrgId, family: Family, filter: &AssetFilter) -> String {
    let AssetFilter { states, customer_scenario, customer, name, updated_since } = filter;
    let states = states.iter().map(|state| state.as_str()).collect::<Vec<_>>().join(",");
    let customer_scenario = customer_scenario.as_ref().map_or("", CustomerScenarioDigest::as_str);
    let customer = customer.as_ref().map_or("", CustomerDigest::as_str);
    let updated_since = updated_since.map(|since| since.to_string()).unwrap_or_default();
    // `name` comes last, because only names can contain line breaks.
    let name = name.as_ref().map_or("", NormalizedName::as_str);
    format!("{org}\n{family}\n{states}\n{customer_scenario}\n{customer}\n{updated_since}\n{name}")
}
