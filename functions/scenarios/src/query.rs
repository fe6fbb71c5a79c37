//! The query of a list.

use accounting::OrgId;
use gateway::{InvalidValue, QueryParameters, Violations, one_of};
use store::{AssetFilter, AssetState, CustomerScenarioDigest, FoldedName, PageRequest};
use strum::IntoEnumIterator;

use crate::cursor::{self, CursorScope};
use crate::fields::Fields;
use crate::scenario::Scenario;
use crate::value::moment;

/// The parameters of a list.
const PARAMETERS: [&str; 7] =
    ["state", "customer_scenario_id", "name", "updated_since", "fields", "cursor", "limit"];

/// What a list is asked for.
#[derive(Clone, Debug)]
pub(crate) struct ListQuery {
    pub(crate) page: PageRequest,
    pub(crate) fields: Fields,
}

impl ListQuery {
    pub(crate) fn read<S: Scenario>(parameters: &QueryParameters, org: &OrgId) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        parameters.allow(&PARAMETERS, &mut violations);
        let mut read = Reader { parameters, violations: &mut violations };
        let filter = AssetFilter {
            state: read.parameter("state", state),
            customer_scenario: read.parameter("customer_scenario_id", customer_scenario),
            name: read.parameter("name", name),
            updated_since: read.parameter("updated_since", moment),
        };
        let fields = read.parameter("fields", Fields::read::<S>).unwrap_or(Fields::All);
        let limit = parameters.limit(&mut violations);
        let scope = CursorScope { org, family: S::FAMILY, filter: &filter };
        let same = "organization, library and filters";
        let after = parameters.cursor(same, |text| cursor::read(scope, text), &mut violations);
        violations.or(Self { page: PageRequest { filter, after, limit }, fields })
    }
}

struct Reader<'a> {
    parameters: &'a QueryParameters,
    violations: &'a mut Violations,
}

impl Reader<'_> {
    /// Reads a parameter by a function that says what is wrong with its text; `None` when it is wrong or not
    /// there.
    fn parameter<T>(&mut self, name: &str, read: impl FnOnce(&str) -> Result<T, InvalidValue>) -> Option<T> {
        let read = read(self.parameters.get(name)?);
        read.map_err(|InvalidValue(detail)| self.violations.add(format!("?{name}"), detail)).ok()
    }
}

fn state(text: &str) -> Result<AssetState, InvalidValue> {
    let states: Vec<_> = AssetState::iter().map(AssetState::as_str).collect();
    text.parse().map_err(|_| InvalidValue(one_of(&states, text)))
}

fn customer_scenario(text: &str) -> Result<CustomerScenarioDigest, InvalidValue> {
    Ok(CustomerScenarioDigest::of_sha256(&[not_empty(text)?.as_bytes()]))
}

fn name(text: &str) -> Result<FoldedName, InvalidValue> {
    FoldedName::whole(not_empty(text)?).ok_or_else(|| {
        let most = FoldedName::MAX_CHARS;
        InvalidValue(format!("must have at most {most} characters: names are compared by no more"))
    })
}

fn not_empty(text: &str) -> Result<&str, InvalidValue> {
    if text.is_empty() {
        return Err(InvalidValue("must not be empty; leave it out to have every asset".to_owned()));
    }
    Ok(text)
}
