//! Calls of release-backed operations that return a given status.

use harness::{Call, samples};
use serde_json::json;

use super::Case;

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let unknown = match (status, case.operation.id) {
        (404, "read_place_profile") => {
            return Some(case.call_at(&case.path.replace(&samples::place().to_string(), "1")));
        }
        (404, "estimate_campaign" | "estimate_event") => {
            json!({ "asset_id": "019fff9c-6514-7c11-9d3e-5f2a8b6c4d10" })
        }
        (404, "report_places") => json!({ "place_id": [1] }),
        (404, "read_population_at_home") => json!({
            "service_segment_id": "01999999-9999-5999-8999-999999999999",
            "geography_type": ["DMA"],
        }),
        _ => return None,
    };
    Some(case.call_of("application/json", unknown.to_string()))
}
