//! The campaign body. See `CampaignAssetCreateRequest` and `CampaignAssetPatchRequest` in openapi.yaml.

use dataset::IdKind;
use deserr::{Deserr, ValuePointerRef};
use gateway::{Identifier, InvalidValue, Items, Patch, Replace, Violations};
use serde::{Deserialize, Serialize};
use store::{CustomerDigest, CustomerScenarioDigest, Family, IndexedMembers, NormalizedName};

use crate::scenario::Scenario;
use crate::unknown_ids::ReferencedId;
use crate::value::{Date, MAX_ITEMS};

/// A campaign's body in requests and in the database.
#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct Campaign {
    campaign: Option<Reference>,
    pub flight: DateRange,
    pub spots: Items<Spot, 1, MAX_ITEMS>,
    pub cohort: Cohort,
    customer: Customer,
}

#[serde_with::apply(_ => #[deserr(default)])]
#[derive(Debug, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct CampaignPatch {
    campaign: Patch<Reference>,
    flight: Replace<DateRange>,
    spots: Replace<Items<Spot, 1, MAX_ITEMS>>,
    cohort: Replace<Cohort>,
    customer: Replace<Customer>,
}

#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Reference {
    name: Option<String>,
    reference: Option<String>,
}

/// The inclusive dates of a flight or a window.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = DateRange::in_order -> InvalidValue)]
pub struct DateRange {
    pub start_date: Date,
    pub end_date: Date,
}

/// A display in the campaign. It's active during its windows, or during the whole flight if there are none.
#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct Spot {
    pub display_id: Identifier,
    spot_id: i64,
    customer_spot_id: Option<String>,
    customer_operator_name: Option<String>,
    pub windows: Option<Items<DateRange, 1>>,
}

/// The target: people who are in certain cohorts and live in certain markets.
#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct Cohort {
    /// The IDs of the geographies that make up the market. `crate::geographies` checks that the release
    /// contains them.
    pub geography_ids: Items<String, 1>,
    pub service_segment_ids: Items<Identifier, 1>,
    pub service_base_segment_id: Identifier,
    measures_release: Option<i64>,
}

#[serde_with::apply(Option<_> => #[serde(skip_serializing_if = "Option::is_none")] #[deserr(default)])]
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Customer {
    customer_id: i64,
    customer_name: String,
    customer_scenario_id: Identifier,
    customer_scenario_name: String,
    customer_scenario_info: Option<String>,
}

impl Scenario for Campaign {
    const FAMILY: Family = Family::Campaign;

    type Patch = CampaignPatch;

    fn referenced_ids(&self) -> impl Iterator<Item = ReferencedId<'_>> {
        let Cohort { service_segment_ids, service_base_segment_id, .. } = &self.cohort;
        let displays = self.spots.as_slice().iter().enumerate().map(|(index, spot)| ReferencedId {
            kind: IdKind::Display,
            id: spot.display_id.as_str(),
            pointer: format!("/spots/{index}/display_id"),
        });
        let segments = service_segment_ids.as_slice().iter().enumerate().map(|(index, id)| ReferencedId {
            kind: IdKind::Cohort,
            id: id.as_str(),
            pointer: format!("/cohort/service_segment_ids/{index}"),
        });
        let base = ReferencedId {
            kind: IdKind::Cohort,
            id: service_base_segment_id.as_str(),
            pointer: "/cohort/service_base_segment_id".to_owned(),
        };
        displays.chain(segments).chain([base])
    }

    fn indexed_members(&self) -> IndexedMembers {
        let Customer { customer_id, customer_scenario_id, customer_scenario_name, .. } = &self.customer;
        let name = self.campaign.as_ref().and_then(|campaign| campaign.name.as_deref());
        IndexedMembers {
            customer_scenario: Some(CustomerScenarioDigest::of_sha256(&[customer_scenario_id
                .as_str()
                .as_bytes()])),
            customer: Some(CustomerDigest::of_sha256(&[customer_id.to_string().as_bytes()])),
            name: name.map(NormalizedName::cut),
            customer_scenario_name: Some(NormalizedName::cut(customer_scenario_name)),
        }
    }

    fn apply(&mut self, patch: &mut CampaignPatch) {
        patch.campaign.apply(&mut self.campaign);
        patch.flight.apply(&mut self.flight);
        patch.spots.apply(&mut self.spots);
        patch.cohort.apply(&mut self.cohort);
        patch.customer.apply(&mut self.customer);
    }
}

impl DateRange {
    fn in_order(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        if self.start_date > self.end_date {
            return Err(InvalidValue("must not end before it starts".to_owned()));
        }
        Ok(self)
    }
}
