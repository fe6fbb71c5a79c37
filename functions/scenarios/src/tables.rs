//! The columns of campaign and event lists, for CSV responses.

use gateway::Table;

use crate::asset::{AFTER_BODY, BEFORE_BODY};

pub(crate) static CAMPAIGNS: Table = Table {
    name: "campaigns",
    rows: "data",
    total: Some("pagination.total"),
    columns: || {
        let body = [
            "campaign.name",
            "campaign.reference",
            "flight.start_date",
            "flight.end_date",
            "spots",
            "cohort.geography_ids",
            "cohort.service_segment_ids",
            "cohort.service_base_segment_id",
            "cohort.measures_release",
        ];
        [&BEFORE_BODY[..], &body, &CUSTOMER, &AFTER_BODY].concat()
    },
    feature: None,
};

pub(crate) static EVENTS: Table = Table {
    name: "events",
    rows: "data",
    total: Some("pagination.total"),
    columns: || {
        let body = [
            "name",
            "description",
            "periods",
            "place_ids",
            "cohort.geography_ids",
            "cohort.service_segment_id",
        ];
        [&BEFORE_BODY[..], &body, &CUSTOMER, &["timezone"], &AFTER_BODY].concat()
    },
    feature: None,
};

/// The columns of `customer`, for both families.
const CUSTOMER: [&str; 5] = [
    "customer.customer_id",
    "customer.customer_name",
    "customer.customer_scenario_id",
    "customer.customer_scenario_name",
    "customer.customer_scenario_info",
];
