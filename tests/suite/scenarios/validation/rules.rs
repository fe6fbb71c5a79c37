//! Bodies that break one rule each.

use serde_json::{Value, json};
use shared::types::Family;

/// A value at a place of an otherwise valid body, the place that the violation names, and words of its
/// detail.
pub(super) type Rule = (&'static str, Value, &'static str, &'static str);

/// Returns every rule of a family's bodies, each broken.
pub(super) fn rules(family: Family) -> Vec<Rule> {
    let mut rules = match family {
        Family::Campaign => campaign_rules(),
        Family::Event => event_rules(),
    };
    rules.extend(shared_rules());
    rules
}

fn campaign_rules() -> Vec<Rule> {
    let many = |count: usize| json!(vec![json!({ "display_id": "1", "spot_id": 1 }); count]);
    let mut rules = vec![
        ("/campaign", json!("x"), "/campaign", "must be an object, is a string"),
        ("/campaign/name", json!(5), "/campaign/name", "must be a string, is an integer"),
        ("/campaign/reference", json!({}), "/campaign/reference", "must be a string, is an object"),
        ("/campaign/extra", json!(1), "/campaign/extra", "is not a member here; allowed are name, reference"),
        ("/flight", json!(null), "/flight", "is required"),
        ("/flight", json!([]), "/flight", "must be an object, is an array"),
        ("/flight/start_date", json!(null), "/flight/start_date", "is required and must not be null"),
        ("/flight/start_date", json!(20260406), "/flight/start_date", "must be a string, is an integer"),
        ("/flight/end_date", json!("2026-04-05"), "/flight", "must not end before it starts"),
        ("/flight/zone", json!("UTC"), "/flight/zone", "is not a member here"),
        ("/spots", json!(null), "/spots", "is required"),
        ("/spots", json!({}), "/spots", "must be an array, is an object"),
        ("/spots", json!([]), "/spots", "must have 1 to 2000 items, has 0"),
        ("/spots", many(2_001), "/spots", "must have 1 to 2000 items, has 2001"),
        ("/spots/1", json!(7), "/spots/1", "must be an object, is an integer"),
        ("/spots/1", json!(null), "/spots/1", "must be an object, is null"),
        ("/spots/1/display_id", json!(""), "/spots/1/display_id", "must not be empty"),
        (
            "/spots/1/display_id",
            json!(30412901),
            "/spots/1/display_id",
            "must be a string, is an integer; it is the spot_id of an inventory search, as a string",
        ),
        ("/spots/0/spot_id", json!(null), "/spots/0/spot_id", "it is a number of your own; the display is"),
        ("/spots/1/display_id", json!(null), "/spots/1/display_id", "is required"),
        ("/spots/0/customer_spot_id", json!(7), "/spots/0/customer_spot_id", "must be a string"),
        ("/spots/0/customer_operator_name", json!(true), "/spots/0/customer_operator_name", "is a boolean"),
        ("/spots/0/price", json!(1.5), "/spots/0/price", "is not a member here; allowed are display_id"),
        ("/spots/0/windows", json!([]), "/spots/0/windows", "must have at least 1 item"),
        ("/spots/0/windows", json!("all"), "/spots/0/windows", "must be an array, is a string"),
        ("/spots/0/windows/0", json!(null), "/spots/0/windows/0", "must be an object, is null"),
        (
            "/spots/0/windows/0/end_date",
            json!("2026-04-05"),
            "/spots/0/windows/0",
            "must not end before it starts",
        ),
        ("/spots/0/windows/0/end_date", json!("soon"), "/spots/0/windows/0/end_date", "YYYY-MM-DD, is soon"),
        ("/spots/0/windows/0/hours", json!([]), "/spots/0/windows/0/hours", "is not a member here"),
        ("/cohort", json!("x"), "/cohort", "must be an object"),
        (
            "/cohort/service_segment_ids",
            json!([]),
            "/cohort/service_segment_ids",
            "must have at least 1 item",
        ),
        ("/cohort/service_segment_ids", json!([""]), "/cohort/service_segment_ids/0", "must not be empty"),
        ("/cohort/service_segment_ids", json!(["a", null]), "/cohort/service_segment_ids/1", "is null"),
        (
            "/cohort/service_base_segment_id",
            json!(""),
            "/cohort/service_base_segment_id",
            "must not be empty",
        ),
        (
            "/cohort/service_base_segment_id",
            json!(null),
            "/cohort/service_base_segment_id",
            "null; it is the service_segment_id of the cohort to compare with, such as Everyone, of cohort search",
        ),
        ("/cohort/service_segment_id", json!("a"), "/cohort/service_segment_id", "is not a member here"),
        ("/customer/customer_name", json!(null), "/customer/customer_name", "is required"),
        ("/customer/customer_name", json!(7), "/customer/customer_name", "must be a string"),
        ("/customer/customer_scenario_id", json!(""), "/customer/customer_scenario_id", "must not be empty"),
        ("/customer/customer_scenario_name", json!([]), "/customer/customer_scenario_name", "is an array"),
        (
            "/customer/customer_scenario_info",
            json!(7),
            "/customer/customer_scenario_info",
            "must be a string",
        ),
        ("/customer/a~b~1c", json!(7), "/customer/a~0b~01c", "is not a member here"),
    ];
    let integers = ["/spots/1/spot_id", "/cohort/measures_release", "/customer/customer_id"];
    for place in integers {
        for value in [json!(1.5), json!(1e300), json!(9_223_372_036_854_775_808_u64)] {
            rules.push((
                place,
                value,
                place,
                "must be a 64-bit integer, is a number that is not a 64-bit integer",
            ));
        }
        let past = "must be a 64-bit integer, is an integer past 2^53 that is not written in digits alone";
        for value in [json!(1e16), json!(-1e16), json!(-9_223_372_036_854_775_808.0)] {
            rules.push((place, value, place, past));
        }
        rules.push((place, json!("1204332"), place, "must be a 64-bit integer, is a string"));
        rules.push((place, json!(true), place, "must be a 64-bit integer, is a boolean"));
    }
    let no_dates = [
        "2026-02-29",
        "2026-04-31",
        "2026-13-01",
        "2026-00-10",
        "2026-4-06",
        "20260406",
        "2026-04-06T00:00:00Z",
        " 2026-04-06",
        "+2026-04-6",
        "2026/04/06",
        "06-04-2026",
        "today",
        "",
        "2026-W15-1",
        "2026-04-0\u{661}",
    ];
    for date in no_dates {
        rules.push((
            "/flight/start_date",
            json!(date),
            "/flight/start_date",
            "must be a calendar date YYYY-MM-DD, is ",
        ));
    }
    rules
}

fn event_rules() -> Vec<Rule> {
    let mut rules = vec![
        ("/name", json!(5), "/name", "must be a string, is an integer"),
        ("/description", json!(["x"]), "/description", "must be a string, is an array"),
        ("/periods", json!(null), "/periods", "is required"),
        ("/periods", json!([]), "/periods", "must have at least 1 item"),
        ("/periods", json!({}), "/periods", "must be an array, is an object"),
        ("/periods/0", json!("evening"), "/periods/0", "must be an object, is a string"),
        ("/periods/0/period_name", json!(null), "/periods/0/period_name", "is required"),
        ("/periods/0/period_name", json!(1), "/periods/0/period_name", "must be a string"),
        (
            "/periods/0/start_time",
            json!(1783116000),
            "/periods/0/start_time",
            "must be a string, is an integer",
        ),
        ("/periods/0/end_time", json!("2026-07-03T17:59:59-04:00"), "/periods/0", "must end after it starts"),
        // The same moment, written in another zone.
        ("/periods/0/end_time", json!("2026-07-03T22:00:00Z"), "/periods/0", "must end after it starts"),
        (
            "/periods/0/place_ids",
            json!([]),
            "/periods/0/place_ids",
            "is not a member here; allowed are period_name",
        ),
        ("/place_ids", json!(null), "/place_ids", "is required"),
        ("/place_ids", json!([]), "/place_ids", "must have 1 to 2000 items, has 0"),
        ("/place_ids", json!(vec!["1"; 2_001]), "/place_ids", "must have 1 to 2000 items, has 2001"),
        ("/place_ids", json!("1001"), "/place_ids", "must be an array, is a string"),
        ("/place_ids/1", json!(""), "/place_ids/1", "must not be empty"),
        (
            "/place_ids/1",
            json!(1002),
            "/place_ids/1",
            "must be a string, is an integer; the ids are each a place_id of place search, as a string",
        ),
        ("/cohort/service_segment_id", json!(""), "/cohort/service_segment_id", "must not be empty"),
        (
            "/cohort/service_segment_id",
            json!(null),
            "/cohort/service_segment_id",
            "null; it is a service_segment_id of cohort search",
        ),
        ("/cohort/service_segment_ids", json!([]), "/cohort/service_segment_ids", "is not a member here"),
        ("/customer", json!(null), "/customer", "is required"),
        ("/customer/customer_id", json!(48213), "/customer/customer_id", "must be a string, is an integer"),
        ("/customer/customer_id", json!(""), "/customer/customer_id", "must not be empty"),
        ("/customer/customer_name", json!(7), "/customer/customer_name", "must be a string"),
        ("/customer/customer_scenario_id", json!(null), "/customer/customer_scenario_id", "is required"),
        ("/customer/customer_scenario_name", json!({}), "/customer/customer_scenario_name", "is an object"),
        (
            "/customer/customer_scenario_info",
            json!(false),
            "/customer/customer_scenario_info",
            "is a boolean",
        ),
        ("/timezone", json!(null), "/timezone", "is required"),
        ("/timezone", json!(-5), "/timezone", "must be a string, is an integer"),
    ];
    let no_moments = [
        "2026-07-03",
        "2026-07-03T18:00:00",
        "2026-07-03 18:00:00-04:00",
        "2026-07-03T18:00-04:00",
        "2026-07-03T24:00:00Z",
        "2026-07-03T18:60:00Z",
        "2026-02-30T18:00:00Z",
        "2026-07-03T18:00:00-0400",
        "2026-07-03T18:00:00 America/New_York",
        "1783116000",
        "",
        "20260703T180000Z",
        "2026-07-03T18:00:00.Z",
    ];
    for moment in no_moments {
        rules.push((
            "/periods/0/start_time",
            json!(moment),
            "/periods/0/start_time",
            "RFC 3339 date-time with its offset",
        ));
    }
    let no_zones =
        ["", "EST5EDT4", "America/New York", "america/new_york", "-05:00", "Mars/Olympus", "America/"];
    for zone in no_zones {
        rules.push((
            "/timezone",
            json!(zone),
            "/timezone",
            "must be an IANA time zone such as America/New_York, is ",
        ));
    }
    rules
}

fn shared_rules() -> Vec<Rule> {
    let mut rules = vec![
        ("/state", json!("queued"), "/state", "is not a member here"),
        ("/asset_id", json!(null), "/asset_id", "is not a member here"),
        ("/cohort", json!(null), "/cohort", "is required"),
        ("/cohort/geography_ids", json!(null), "/cohort/geography_ids", "is required"),
        ("/cohort/geography_ids", json!([]), "/cohort/geography_ids", "must have at least 1 item"),
        ("/cohort/geography_ids", json!("US2020XDMA501"), "/cohort/geography_ids", "must be an array"),
        (
            "/cohort/geography_ids",
            json!(["US2020XDMA501", 501]),
            "/cohort/geography_ids/1",
            "must be a string",
        ),
        (
            "/cohort/geography_ids",
            json!(["US2020XDMA999"]),
            "/cohort/geography_ids/0",
            "US2020XDMA999; the ids are each a market_id of the markets list",
        ),
        ("/cohort/geography_ids", json!(["US2020STCO36000"]), "/cohort/geography_ids/0", "US2020STCO36000"),
        ("/customer", json!(48213), "/customer", "must be an object, is an integer"),
        ("/customer/tier", json!("gold"), "/customer/tier", "is not a member here; allowed are customer_id"),
    ];
    for id in ["us2020xdma501", "US2020XDMA50", "New York", "", "US2010XDMA501", "US2020XDMA501 "] {
        rules.push((
            "/cohort/geography_ids",
            json!([id]),
            "/cohort/geography_ids/0",
            "not a geography id: expected ",
        ));
    }
    rules
}
