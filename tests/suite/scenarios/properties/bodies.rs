//! Generators for valid request bodies.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use store::Family;

/// Generates valid bodies for create calls. Optional members are present, absent, or null.
pub(super) fn valid(family: Family) -> BoxedStrategy<Value> {
    match family {
        Family::Campaign => campaign().boxed(),
        Family::Event => event().boxed(),
    }
}

/// Creates an object from the members that have a value.
fn object(members: Vec<(&'static str, Option<Value>)>) -> Value {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect::<Map<_, _>>())
}

/// Generates an optional member's value, which may be null or absent.
fn optional<T: Into<Value> + std::fmt::Debug>(
    there: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<Value>> {
    option::weighted(
        0.8,
        option::weighted(0.8, there).prop_map(|value| value.map_or(Value::Null, Into::into)),
    )
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ -~]{0,40}", Just(String::new())]
}

fn identifier() -> impl Strategy<Value = String> {
    text().prop_filter("not empty", |text| !text.is_empty())
}

fn geographies() -> impl Strategy<Value = Vec<&'static str>> {
    let known = [
        "XX2020NATNUS",
        "US2020XXST06",
        "US2020STCO36061",
        "US2020XDMA501",
        "US2020XMSA35620",
        "US2020ZCTA10027",
    ];
    vec(select(known.to_vec()), 1..5)
}

fn period() -> impl Strategy<Value = Value> {
    let date = || {
        (1..=9999_u16, 1..=12_u8, 1..=28_u8)
            .prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
    };
    (date(), date()).prop_map(|(one, other)| {
        let (start, end) = if one <= other { (one, other) } else { (other, one) };
        json!({ "start_date": start, "end_date": end })
    })
}

fn campaign() -> impl Strategy<Value = Value> {
    let reference = (optional(text()), optional(text()));
    let reference =
        reference.prop_map(|(name, reference)| object(vec![("name", name), ("reference", reference)]));
    let spots = prop_oneof![9 => vec(spot(), 1..6), 1 => spot().prop_map(|spot| vec![spot; 2_000])];
    let cohort = (geographies(), vec(identifier(), 1..4), identifier(), optional(any::<i64>()));
    let customer = (any::<i64>(), text(), identifier(), text(), optional(text()));
    (optional(reference), period(), spots, cohort, customer).prop_map(
        |(campaign, flight, spots, cohort, customer)| {
            let cohort = object(vec![
                ("geography_ids", Some(json!(cohort.0))),
                ("service_segment_ids", Some(json!(cohort.1))),
                ("service_base_segment_id", Some(json!(cohort.2))),
                ("measures_release", cohort.3),
            ]);
            let customer = object(vec![
                ("customer_id", Some(json!(customer.0))),
                ("customer_name", Some(json!(customer.1))),
                ("customer_scenario_id", Some(json!(customer.2))),
                ("customer_scenario_name", Some(json!(customer.3))),
                ("customer_scenario_info", customer.4),
            ]);
            object(vec![
                ("campaign", campaign),
                ("flight", Some(flight)),
                ("spots", Some(json!(spots))),
                ("cohort", Some(cohort)),
                ("customer", Some(customer)),
            ])
        },
    )
}

fn spot() -> impl Strategy<Value = Value> {
    let windows = vec(period(), 1..4);
    (identifier(), any::<i64>(), optional(text()), optional(text()), optional(windows)).prop_map(
        |(display, spot, reference, operator, windows)| {
            object(vec![
                ("display_id", Some(json!(display))),
                ("spot_id", Some(json!(spot))),
                ("customer_spot_id", reference),
                ("customer_operator_name", operator),
                ("windows", windows),
            ])
        },
    )
}

fn event() -> impl Strategy<Value = Value> {
    let places =
        prop_oneof![9 => vec(identifier(), 1..6), 1 => identifier().prop_map(|place| vec![place; 2_000])];
    let customer = (identifier(), optional(text()), identifier(), optional(text()), optional(text()));
    let zone = select(vec![
        "UTC",
        "America/New_York",
        "Asia/Kolkata",
        "Etc/GMT+5",
        "America/Argentina/Buenos_Aires",
    ]);
    let cohort = (geographies(), identifier());
    let names = (optional(text()), optional(text()));
    (names, vec(timed_period(), 1..4), places, cohort, customer, zone).prop_map(
        |((name, description), periods, places, (geographies, segment), customer, zone)| {
            let customer = object(vec![
                ("customer_id", Some(json!(customer.0))),
                ("customer_name", customer.1),
                ("customer_scenario_id", Some(json!(customer.2))),
                ("customer_scenario_name", customer.3),
                ("customer_scenario_info", customer.4),
            ]);
            object(vec![
                ("name", name),
                ("description", description),
                ("periods", Some(json!(periods))),
                ("place_ids", Some(json!(places))),
                ("cohort", Some(json!({ "geography_ids": geographies, "service_segment_id": segment }))),
                ("customer", Some(customer)),
                ("timezone", Some(json!(zone))),
            ])
        },
    )
}

/// Generates a period that ends several days after its start, so that UTC offsets can't reverse the order.
fn timed_period() -> impl Strategy<Value = Value> {
    let clock = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])";
    (text(), 1..=9998_u16, 1..=12_u8, 1..=12_u8, clock, clock).prop_map(
        |(name, year, month, day, start, end)| {
            let (start, end) = (
                format!("{year:04}-{month:02}-{day:02}T{start}"),
                format!("{year:04}-{month:02}-{:02}T{end}", day + 3),
            );
            json!({ "period_name": name, "start_time": start, "end_time": end })
        },
    )
}
