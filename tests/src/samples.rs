//! Bodies that are valid, and parts of them.

use dataset::{PlaceId, PlaceQuery, Places, Population};
use serde_json::{Value, json};
use shared::types::Family;

use crate::sample_release;

/// Returns a valid create request of a family.
pub fn body(family: Family) -> Value {
    match family {
        Family::Campaign => campaign(),
        Family::Event => event(),
    }
}

/// Returns the path of a family's library.
pub fn library(family: Family) -> &'static str {
    match family {
        Family::Campaign => "/v2/scenarios/campaigns",
        Family::Event => "/v2/scenarios/events",
    }
}

/// Returns a valid create request of a campaign, with every member.
pub fn campaign() -> Value {
    json!({
        "campaign": { "name": "Spring launch", "reference": "PO-7" },
        "flight": { "start_date": "2026-04-06", "end_date": "2026-06-28" },
        "spots": [
            {
                "display_id": "30412887",
                "spot_id": 1204331,
                "customer_spot_id": "NYC-1",
                "customer_operator_name": "Example Outdoor",
                "windows": [{ "start_date": "2026-04-06", "end_date": "2026-04-19" }],
            },
            { "display_id": "30412901", "spot_id": 1204332 },
        ],
        "cohort": {
            "geography_ids": ["US2020XDMA501", "US2020STCO06075"],
            "service_segment_ids": ["5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887"],
            "service_base_segment_id": "5e6f0c1a-0001-5b7e-9d2a-3c4b5a697887",
            "measures_release": 202609,
        },
        "customer": {
            "customer_id": 48213,
            "customer_name": "Example Coffee",
            "customer_scenario_id": "spring-1",
            "customer_scenario_name": "Spring",
            "customer_scenario_info": "two markets",
        },
    })
}

/// Returns a valid create request of an event, with every member.
pub fn event() -> Value {
    json!({
        "name": "Street fair",
        "description": "Two evenings",
        "periods": [
            {
                "period_name": "evening one",
                "start_time": "2026-07-03T18:00:00-04:00",
                "end_time": "2026-07-03T23:30:00.5-04:00",
            },
        ],
        "place_ids": ["1001", "1002"],
        "cohort": {
            "geography_ids": ["US2020XXST36"],
            "service_segment_id": "5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887",
        },
        "customer": {
            "customer_id": "c-48213",
            "customer_name": "Example Coffee",
            "customer_scenario_id": "fair-1",
            "customer_scenario_name": "Fair",
            "customer_scenario_info": "with music",
        },
        "timezone": "America/New_York",
    })
}

/// Returns the id of a place of the sample release: a coffee shop in San Francisco.
pub fn place() -> PlaceId {
    let places = Places::open(sample_release()).expect("the sample's places");
    let query = PlaceQuery {
        place_name: Some("starbucks".to_owned()),
        city: Some("san francisco".to_owned()),
        take: 1,
        ..PlaceQuery::default()
    };
    places.get(places.search(&query).places[0]).id
}

/// Returns the ids of so many places of the sample release.
pub fn places(count: usize) -> Vec<u64> {
    let places = Places::open(sample_release()).expect("the sample's places");
    let found = places.search(&PlaceQuery { take: count, ..PlaceQuery::default() });
    found.places.into_iter().map(|place| places.get(place).id.raw()).collect()
}

/// Returns the id of a cohort of the sample release by its short name.
pub fn segment(key: &str) -> String {
    let population = Population::open(sample_release()).expect("the sample's population");
    let found =
        population.segments().find(|segment| segment.key == key).map(|segment| segment.id.to_string());
    found.unwrap_or_else(|| panic!("no cohort {key}"))
}
