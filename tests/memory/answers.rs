//! Valid request bodies that cause the largest responses.

use harness::samples;
use serde_json::{Value, json};

/// Returns the bodies that cause an operation's largest responses.
pub(crate) fn largest_answers(operation: &str) -> Vec<Value> {
    let page = |page_size: usize| json!({ "page": 1, "page_size": page_size });
    match operation {
        "search_places" => vec![json!({ "pagination": page(10_000) })],
        "match_places" => {
            // The ZIP code with the most places.
            let input = json!({ "name": "Starbucks", "zip_code": "32819" });
            vec![json!({ "inputs": vec![input; 100] })]
        }
        "search_inventory" => vec![json!({ "pagination": page(10_000) })],
        "look_up_displays" => vec![json!({ "spot_ids": samples::displays(2_000) })],
        "report_places" => {
            let segment_ids = vec![samples::segment("income_100k_150k")];
            let by_place = json!({ "service_segment_ids": segment_ids });
            let side_by_side = json!({ "place_id": samples::places(100), "by_place": by_place });
            vec![json!({ "place_id": samples::places(1_000) }), side_by_side]
        }
        "estimate_event" => {
            let mut event = samples::estimated_event();
            event["place_ids"] = samples::places(2_000).iter().map(ToString::to_string).collect();
            vec![event]
        }
        "search_cohorts" => vec![json!({ "service_data_product_name": "Population At Home" })],
        "read_population_at_home" => {
            let segment = samples::segment("hispanic");
            let sort = json!({ "active": "composition_index", "direction": "desc" });
            vec![json!({
                "service_segment_id": segment,
                "geography_type": ["ZIP"],
                "pagination": page(10_000),
                "sort": sort,
            })]
        }
        _ => vec![],
    }
}
