//! A list's query parameters.

use std::collections::BTreeSet;

use accounting::OrgId;
use gateway::{InvalidValue, Named, QueryParameters, Violations, read_cursor};
use scenario_bodies::moment;
use store::{
    AssetFilter, AssetId, AssetState, CustomerDigest, CustomerScenarioDigest, Family, NormalizedName,
    PageRequest,
};

use crate::cursor::list_name;
use crate::fields::Fields;
use crate::library::Listed;

/// The names of the query parameters that a list accepts.
const PARAMETERS: [&str; 8] =
    ["state", "customer_scenario_id", "customer_id", "name", "updated_since", "fields", "cursor", "limit"];

/// A request for one page of assets, with the selected members.
#[derive(Clone, Debug)]
pub(crate) struct ListQuery {
    pub(crate) page: PageRequest,
    pub(crate) fields: Fields,
}

impl ListQuery {
    pub(crate) fn read<S: Listed>(parameters: &QueryParameters, org: &OrgId) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        parameters.allow(&PARAMETERS, &mut violations);
        let filter = AssetFilter {
            states: parameters.read("state", states, &mut violations).unwrap_or_default(),
            customer_scenario: parameters.read("customer_scenario_id", customer_scenario, &mut violations),
            customer: parameters.read("customer_id", customer::<S>, &mut violations),
            name: parameters.read("name", name, &mut violations),
            updated_since: parameters.read("updated_since", moment, &mut violations),
        };
        let fields = parameters.read("fields", Fields::read::<S>, &mut violations).unwrap_or(Fields::All);
        let limit = parameters.limit(&mut violations);
        let list = list_name(org, S::FAMILY, &filter);
        let same = "organization, library, and filters";
        let read = |text: &str| Some(AssetId::from_bytes(read_cursor(&list, text)?.try_into().ok()?));
        let after = parameters.cursor(same, read, &mut violations);
        violations.or(Self { page: PageRequest { filter, after, limit }, fields })
    }
}

/// Parses a comma-separated list of states.
fn states(text: &str) -> Result<BTreeSet<AssetState>, InvalidValue> {
    text.split(',').map(|name| Named::new(name).map(|Named(state)| state)).collect()
}

/// Parses a `customer_id`, which is a number in campaigns and a string in events.
fn customer<S: Listed>(text: &str) -> Result<CustomerDigest, InvalidValue> {
    let id = match S::FAMILY {
        Family::Campaign => integer(text)?.to_string(),
        Family::Event => not_empty(text)?.to_owned(),
    };
    Ok(CustomerDigest::of_sha256(&[id.as_bytes()]))
}

fn integer(text: &str) -> Result<i64, InvalidValue> {
    // `str::parse` also accepts a plus sign.
    let integer = text.parse().ok().filter(|_| !text.starts_with('+'));
    integer.ok_or_else(|| {
        let (least, most) = (i64::MIN, i64::MAX);
        InvalidValue::quoting(format!("must be an integer from {least} to {most}"), text)
    })
}

fn customer_scenario(text: &str) -> Result<CustomerScenarioDigest, InvalidValue> {
    Ok(CustomerScenarioDigest::of_sha256(&[not_empty(text)?.as_bytes()]))
}

fn name(text: &str) -> Result<NormalizedName, InvalidValue> {
    NormalizedName::whole(not_empty(text)?).ok_or_else(|| {
        let most = NormalizedName::MAX_CHARS;
        let length = text.chars().count();
        InvalidValue(format!(
            "must have at most {most} characters, but has {length}; only the first {most} characters of a \
             name are compared"
        ))
    })
}

fn not_empty(text: &str) -> Result<&str, InvalidValue> {
    if text.is_empty() {
        return Err(InvalidValue("must not be empty; omit it to list every asset".to_owned()));
    }
    Ok(text)
}
