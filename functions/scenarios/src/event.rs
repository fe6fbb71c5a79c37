use dataset::Geographies;
use serde::{Deserialize, Serialize};
use shared::input::wire::{At, Members, Violations};
use shared::types::{Family, Product};

use crate::reading::{MAX_ITEMS, date_time, geography_ids, identifier, text, time_zone};
use crate::scenario::{Paths, Scenario, replaced};

/// What a customer stores of an event (Specification, EventAsset).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    periods: Vec<Period>,
    place_ids: Vec<String>,
    cohort: Cohort,
    customer: Customer,
    timezone: String,
}

/// What a PATCH of an event may carry; `Some(None)` clears.
#[derive(Debug)]
pub struct EventPatch {
    name: Option<Option<String>>,
    description: Option<Option<String>>,
    periods: Option<Vec<Period>>,
    place_ids: Option<Vec<String>>,
    cohort: Option<Cohort>,
    customer: Option<Customer>,
    timezone: Option<String>,
}

/// A named period; its times are kept as they were written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Period {
    period_name: String,
    start_time: String,
    end_time: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Cohort {
    geography_ids: Vec<String>,
    service_segment_id: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Customer {
    customer_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_name: Option<String>,
    customer_scenario_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_scenario_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_scenario_info: Option<String>,
}

impl Scenario for Event {
    const FAMILY: Family = Family::Event;
    const PRODUCT: Product = Product::ScenarioEventCrud;
    const PATHS: Paths = Paths {
        library: "/v2/scenarios/events",
        summary: "/v2/scenarios/events/summary",
        asset: "/v2/scenarios/events/{asset_id}",
    };

    type Patch = EventPatch;

    fn read(members: &mut Members<'_>, known: &Geographies, violations: &mut Violations) -> Option<Self> {
        let name = members.optional("name", violations, text);
        let description = members.optional("description", violations, text);
        let periods = members.required("periods", violations, periods);
        let place_ids = members.required("place_ids", violations, place_ids);
        let cohort = members.required("cohort", violations, |at, violations| cohort(at, known, violations));
        let customer = members.required("customer", violations, customer);
        let timezone = members.required("timezone", violations, time_zone);
        Some(Self {
            name: name?,
            description: description?,
            periods: periods?,
            place_ids: place_ids?,
            cohort: cohort?,
            customer: customer?,
            timezone: timezone?,
        })
    }

    fn read_patch(members: &mut Members<'_>, known: &Geographies, violations: &mut Violations) -> Option<EventPatch> {
        let name = members.cleared_or_replaced("name", violations, text);
        let description = members.cleared_or_replaced("description", violations, text);
        let periods = members.replaced("periods", violations, periods);
        let place_ids = members.replaced("place_ids", violations, place_ids);
        let cohort = members.replaced("cohort", violations, |at, violations| cohort(at, known, violations));
        let customer = members.replaced("customer", violations, customer);
        let timezone = members.replaced("timezone", violations, time_zone);
        Some(EventPatch {
            name: name?,
            description: description?,
            periods: periods?,
            place_ids: place_ids?,
            cohort: cohort?,
            customer: customer?,
            timezone: timezone?,
        })
    }

    fn patched(self, patch: &EventPatch) -> Self {
        let Self { name, description, periods, place_ids, cohort, customer, timezone } = self;
        Self {
            name: replaced(name, &patch.name),
            description: replaced(description, &patch.description),
            periods: replaced(periods, &patch.periods),
            place_ids: replaced(place_ids, &patch.place_ids),
            cohort: replaced(cohort, &patch.cohort),
            customer: replaced(customer, &patch.customer),
            timezone: replaced(timezone, &patch.timezone),
        }
    }
}

fn periods(at: At<'_>, violations: &mut Violations) -> Option<Vec<Period>> {
    at.items(violations, 1, usize::MAX, period)
}

fn period(at: At<'_>, violations: &mut Violations) -> Option<Period> {
    let (period_name, start, end) = at.object(violations, |members, violations| {
        let period_name = members.required("period_name", violations, text);
        let start = members.required("start_time", violations, date_time);
        let end = members.required("end_time", violations, date_time);
        Some((period_name?, start?, end?))
    })?;
    let ((start_time, start), (end_time, end)) = (start, end);
    if start >= end {
        at.refuse(violations, "must end after it starts");
        return None;
    }
    Some(Period { period_name, start_time, end_time })
}

fn place_ids(at: At<'_>, violations: &mut Violations) -> Option<Vec<String>> {
    at.items(violations, 1, MAX_ITEMS, identifier)
}

fn cohort(at: At<'_>, known: &Geographies, violations: &mut Violations) -> Option<Cohort> {
    at.object(violations, |members, violations| {
        let geography_ids =
            members.required("geography_ids", violations, |at, violations| geography_ids(at, known, violations));
        let service_segment_id = members.required("service_segment_id", violations, identifier);
        Some(Cohort { geography_ids: geography_ids?, service_segment_id: service_segment_id? })
    })
}

fn customer(at: At<'_>, violations: &mut Violations) -> Option<Customer> {
    at.object(violations, |members, violations| {
        let customer_id = members.required("customer_id", violations, identifier);
        let customer_name = members.optional("customer_name", violations, text);
        let customer_scenario_id = members.required("customer_scenario_id", violations, identifier);
        let customer_scenario_name = members.optional("customer_scenario_name", violations, text);
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
