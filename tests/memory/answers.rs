//! Good bodies that ask for as much as their operations answer.

use harness::samples;
use serde_json::{Value, json};

/// Returns the bodies of an operation, by its name in the contract, that have the largest answers.
pub(crate) fn largest_answers(operation: &str) -> Vec<Value> {
    let page = |page_size: usize| json!({ "page": 1, "page_size": page_size });
    match operation {
        "search_places" => vec![json!({ "pagination": page(10_000) })],
        "search_inventory" => vec![json!({ "pagination": page(10_000) })],
        "report_places" => vec![json!({ "place_id": samples::places(1_000) })],
        "search_cohorts" => vec![json!({ "service_data_product_name": "Population At Home" })],
        "read_population_at_home" => {
            let segment = samples::segment("hispanic");
            let (zip_codes, page) = (["ZIP"], page(10_000));
            vec![json!({ "service_segment_id": segment, "geography_type": zip_codes, "pagination": page })]
        }
        _ => vec![],
    }
}
