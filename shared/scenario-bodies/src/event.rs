//! The event body. See `EventAssetCreateRequest` and `EventAssetPatchRequest` in openapi.yaml.

use dataset::IdKind;
use deserr::{Deserr, ValuePointerRef};
use gateway::{Identifier, InvalidValue, Items, Patch, Replace, Violations};
use serde::{Deserialize, Serialize};
use store::{CustomerDigest, CustomerScenarioDigest, Family, IndexedMembers, NormalizedName};

use crate::scenario::Scenario;
use crate::unknown_ids::ReferencedId;
use crate::value::{DateTime, MAX_ITEMS, TimeZone};

/// An event's body in requests and in the database.
#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct Event {
    name: Option<String>,
    description: Option<String>,
    pub periods: Items<Period, 1>,
    pub place_ids: Items<Identifier, 1, MAX_ITEMS>,
    pub cohort: Cohort,
    customer: Customer,
    pub timezone: TimeZone,
}

#[serde_with::apply(_ => #[deserr(default)])]
#[derive(Debug, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct EventPatch {
    name: Patch<String>,
    description: Patch<String>,
    periods: Replace<Items<Period, 1>>,
    place_ids: Replace<Items<Identifier, 1, MAX_ITEMS>>,
    cohort: Replace<Cohort>,
    customer: Replace<Customer>,
    timezone: Replace<TimeZone>,
}

#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = Period::in_order -> InvalidValue)]
pub struct Period {
    period_name: String,
    pub start_time: DateTime,
    pub end_time: DateTime,
}

#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct Cohort {
    /// The IDs of the geographies that make up the market. `crate::geographies` checks that the release
    /// contains them.
    pub geography_ids: Items<String, 1>,
    pub service_segment_id: Identifier,
}

#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Customer {
    customer_id: Identifier,
    customer_name: Option<String>,
    customer_scenario_id: Identifier,
    customer_scenario_name: Option<String>,
    customer_scenario_info: Option<String>,
}

impl Scenario for Event {
    const FAMILY: Family = Family::Event;

    type Patch = EventPatch;

    fn referenced_ids(&self) -> impl Iterator<Item = ReferencedId<'_>> {
        let places = self.place_ids.as_slice().iter().enumerate().map(|(index, id)| ReferencedId {
            kind: IdKind::Place,
            id: id.as_str(),
            pointer: format!("/place_ids/{index}"),
        });
        let segment = ReferencedId {
            kind: IdKind::Cohort,
            id: self.cohort.service_segment_id.as_str(),
            pointer: "/cohort/service_segment_id".to_owned(),
        };
        places.chain([segment])
    }

    fn indexed_members(&self) -> IndexedMembers {
        let Customer { customer_id, customer_scenario_id, customer_scenario_name, .. } = &self.customer;
        IndexedMembers {
            customer_scenario: Some(CustomerScenarioDigest::of_sha256(&[customer_scenario_id
                .as_str()
                .as_bytes()])),
            customer: Some(CustomerDigest::of_sha256(&[customer_id.as_str().as_bytes()])),
            name: self.name.as_deref().map(NormalizedName::cut),
            customer_scenario_name: customer_scenario_name.as_deref().map(NormalizedName::cut),
        }
    }

    fn apply(&mut self, patch: &mut EventPatch) {
        patch.name.apply(&mut self.name);
        patch.description.apply(&mut self.description);
        patch.periods.apply(&mut self.periods);
        patch.place_ids.apply(&mut self.place_ids);
        patch.cohort.apply(&mut self.cohort);
        patch.customer.apply(&mut self.customer);
        patch.timezone.apply(&mut self.timezone);
    }
}

impl Period {
    fn in_order(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        if self.start_time.moment() >= self.end_time.moment() {
            return Err(InvalidValue("must end after it starts".to_owned()));
        }
        Ok(self)
    }
}
