use dataset::Geographies;
use serde::{Deserialize, Serialize};
use shared::input::wire::{At, Members, Violations};
use shared::types::{Day, Family, Product};

use crate::reading::{MAX_ITEMS, date, geography_ids, identifier, identifiers, integer, text};
use crate::scenario::{Paths, Scenario, replaced};

/// What a customer stores of a campaign (Specification, CampaignAsset).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<Reference>,
    flight: Period,
    spots: Vec<Spot>,
    cohort: Cohort,
    customer: Customer,
}

/// What a PATCH of a campaign may carry; `Some(None)` clears.
#[derive(Debug)]
pub struct CampaignPatch {
    campaign: Option<Option<Reference>>,
    flight: Option<Period>,
    spots: Option<Vec<Spot>>,
    cohort: Option<Cohort>,
    customer: Option<Customer>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Reference {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
}

/// A flight or a window, both ends included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Period {
    start_date: Day,
    end_date: Day,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Spot {
    display_id: String,
    spot_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_spot_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_operator_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<Vec<Period>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Cohort {
    geography_ids: Vec<String>,
    service_segment_ids: Vec<String>,
    service_base_segment_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    measures_release: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Customer {
    customer_id: i64,
    customer_name: String,
    customer_scenario_id: String,
    customer_scenario_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_scenario_info: Option<String>,
}

impl Scenario for Campaign {
    const FAMILY: Family = Family::Campaign;
    const PRODUCT: Product = Product::ScenarioCampaignCrud;
    const PATHS: Paths = Paths {
        library: "/v2/scenarios/campaigns",
        summary: "/v2/scenarios/campaigns/summary",
        asset: "/v2/scenarios/campaigns/{asset_id}",
    };

    type Patch = CampaignPatch;

    fn read(members: &mut Members<'_>, known: &Geographies, violations: &mut Violations) -> Option<Self> {
        let campaign = members.optional("campaign", violations, reference);
        let flight = members.required("flight", violations, period);
        let spots = members.required("spots", violations, spots);
        let cohort = members.required("cohort", violations, |at, violations| cohort(at, known, violations));
        let customer = members.required("customer", violations, customer);
        Some(Self { campaign: campaign?, flight: flight?, spots: spots?, cohort: cohort?, customer: customer? })
    }

    fn read_patch(
        members: &mut Members<'_>,
        known: &Geographies,
        violations: &mut Violations,
    ) -> Option<CampaignPatch> {
        let campaign = members.cleared_or_replaced("campaign", violations, reference);
        let flight = members.replaced("flight", violations, period);
        let spots = members.replaced("spots", violations, spots);
        let cohort = members.replaced("cohort", violations, |at, violations| cohort(at, known, violations));
        let customer = members.replaced("customer", violations, customer);
        Some(CampaignPatch {
            campaign: campaign?,
            flight: flight?,
            spots: spots?,
            cohort: cohort?,
            customer: customer?,
        })
    }

    fn patched(self, patch: &CampaignPatch) -> Self {
        let Self { campaign, flight, spots, cohort, customer } = self;
        Self {
            campaign: replaced(campaign, &patch.campaign),
            flight: replaced(flight, &patch.flight),
            spots: replaced(spots, &patch.spots),
            cohort: replaced(cohort, &patch.cohort),
            customer: replaced(customer, &patch.customer),
        }
    }
}

fn reference(at: At<'_>, violations: &mut Violations) -> Option<Reference> {
    at.object(violations, |members, violations| {
        let name = members.optional("name", violations, text);
        let reference = members.optional("reference", violations, text);
        Some(Reference { name: name?, reference: reference? })
    })
}

fn period(at: At<'_>, violations: &mut Violations) -> Option<Period> {
    let period = at.object(violations, |members, violations| {
        let start_date = members.required("start_date", violations, date);
        let end_date = members.required("end_date", violations, date);
        Some(Period { start_date: start_date?, end_date: end_date? })
    })?;
    if period.start_date > period.end_date {
        at.refuse(violations, "must not end before it starts");
        return None;
    }
    Some(period)
}

fn spots(at: At<'_>, violations: &mut Violations) -> Option<Vec<Spot>> {
    at.items(violations, 1, MAX_ITEMS, |at, violations| at.object(violations, spot))
}

fn spot(members: &mut Members<'_>, violations: &mut Violations) -> Option<Spot> {
    let display_id = members.required("display_id", violations, identifier);
    let spot_id = members.required("spot_id", violations, integer);
    let customer_spot_id = members.optional("customer_spot_id", violations, text);
    let customer_operator_name = members.optional("customer_operator_name", violations, text);
    let windows = members.optional("windows", violations, |at, violations| at.items(violations, 1, usize::MAX, period));
    Some(Spot {
        display_id: display_id?,
        spot_id: spot_id?,
        customer_spot_id: customer_spot_id?,
        customer_operator_name: customer_operator_name?,
        windows: windows?,
    })
}

fn cohort(at: At<'_>, known: &Geographies, violations: &mut Violations) -> Option<Cohort> {
    at.object(violations, |members, violations| {
        let geography_ids =
            members.required("geography_ids", violations, |at, violations| geography_ids(at, known, violations));
        let service_segment_ids = members.required("service_segment_ids", violations, identifiers);
        let service_base_segment_id = members.required("service_base_segment_id", violations, identifier);
        let measures_release = members.optional("measures_release", violations, integer);
        Some(Cohort {
            geography_ids: geography_ids?,
            service_segment_ids: service_segment_ids?,
            service_base_segment_id: service_base_segment_id?,
            measures_release: measures_release?,
        })
    })
}

fn customer(at: At<'_>, violations: &mut Violations) -> Option<Customer> {
    at.object(violations, |members, violations| {
        let customer_id = members.required("customer_id", violations, integer);
        let customer_name = members.required("customer_name", violations, text);
        let customer_scenario_id = members.required("customer_scenario_id", violations, identifier);
        let customer_scenario_name = members.required("customer_scenario_name", violations, text);
        let customer_scenario_info = members.optional("customer_scenario_info", violations, text);
        Some(Customer {
            customer_id: customer_id?,
            customer_name: customer_name?,
            customer_scenario_id: customer_scenario_id?,
            customer_scenario_name: customer_scenario_name?,
            customer_scenario_info: customer_scenario_info?,
        })
    })
}
