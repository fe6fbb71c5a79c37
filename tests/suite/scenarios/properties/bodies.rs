//! Bodies that are valid, and bodies that were until something happened to them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use shared::types::Family;

/// The start of a member's name that stands for a repetition of the member after it.
const REPEATED: &str = "\u{1}again:";

/// Makes a valid create request; optional members are there, absent or null.
pub(super) fn valid(family: Family) -> BoxedStrategy<Value> {
    match family {
        Family::Campaign => campaign().boxed(),
        Family::Event => event().boxed(),
    }
}

/// Makes the text of a create request to which up to three things have happened.
pub(super) fn mutated(family: Family) -> impl Strategy<Value = String> {
    let mutations = vec((any::<Index>(), any::<Index>(), 0..6_u8, junk()), 1..4);
    (valid(family), mutations).prop_map(|(mut body, mutations)| {
        for (place, item, kind, value) in mutations {
            mutate(&mut body, place, item, kind, value);
        }
        body.to_string().replace("\"\\u0001again:", "\"")
    })
}

fn mutate(body: &mut Value, place: Index, item: Index, kind: u8, junk: Value) {
    let pointers = places(body);
    let pointer = place.get(&pointers).clone();
    let target = body.pointer_mut(&pointer).expect("a place of the body");
    match (kind, target) {
        (0, Value::Object(members)) if !members.is_empty() => {
            let name = item.get(&members.keys().cloned().collect::<Vec<_>>()).clone();
            members.remove(&name);
        }
        (0, Value::Array(items)) if !items.is_empty() => drop(items.remove(item.index(items.len()))),
        (1, Value::Object(members)) => drop(members.insert("unknown".to_owned(), junk)),
        (1, Value::Array(items)) => items.insert(item.index(items.len() + 1), junk),
        (2, Value::Object(members)) if !members.is_empty() => {
            let name = item.get(&members.keys().cloned().collect::<Vec<_>>()).clone();
            members.insert(format!("{REPEATED}{name}"), junk);
        }
        (2, Value::Array(items)) if !items.is_empty() => {
            let again = items[item.index(items.len())].clone();
            items.push(again);
        }
        (3, Value::Array(items)) if !items.is_empty() => {
            let again = items[0].clone();
            items.resize(2_001, again);
        }
        (_, target) => *target = junk,
    }
}

/// Returns the JSON pointers to everything in a body, the body itself last.
pub(super) fn places(body: &Value) -> Vec<String> {
    let mut pointers = Vec::new();
    collect(body, String::new(), &mut pointers);
    pointers
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().take(50) {
                collect(item, format!("{pointer}/{index}"), pointers);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                collect(
                    member,
                    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
                    pointers,
                );
            }
        }
        _ => {}
    }
    pointers.push(pointer);
}

/// Returns values that a reader may trip over.
pub(super) fn odd_values() -> Vec<Value> {
    let integers = [i64::MIN, i64::MAX, 0, -1].map(Value::from);
    let floats = [1.0, 0.5, -0.0, 1e300, 5e-324, -9_223_372_036_854_775_808.0].map(Value::from);
    let dates =
        ["2026-02-29", "2024-02-29", "0000-01-01", "10000-01-01", "-001-01-01", "2026-1-1", "2026-00-00"];
    let moments = [
        "2026-07-03T18:00:00",
        "2026-07-03T18:00:00Z",
        "2026-07-03T18:00:00z",
        "2026-07-03 18:00:00Z",
        "2026-12-31T23:59:60Z",
        "2026-07-03T18:00:60Z",
        "2026-07-03T24:00:00Z",
        "2026-07-03T18:00:00+24:00",
        "2026-07-03T18:00:00+23:59",
        "2026-07-03T18:00:00+05:60",
        "2026-07-03T18:00:00.Z",
        "2026-07-03T18:00:00.000000000000000000000000000001Z",
        "2026-02-29T18:00:00Z",
        "0000-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
    ];
    let zones =
        ["UTC", "utc", "GMT0", "Etc/GMT+5", "Factory", "posixrules", "localtime", "../etc", "US/Pacific-New"];
    let texts = ["", "0", " ", "US2020XDMA501", "US2020XDMA000", "\u{0}", "💥"];
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let others = [
        json!(null),
        json!(true),
        json!(u64::MAX),
        json!([]),
        json!({}),
        json!({ "": {} }),
        json!([null]),
        deep,
    ];
    let texts = dates.iter().chain(&moments).chain(&zones).chain(&texts).map(|text| json!(text));
    integers.into_iter().chain(floats).chain(others).chain(texts).collect()
}

fn junk() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => select(odd_values()),
        2 => any::<i64>().prop_map(Value::from),
        2 => any::<f64>().prop_map(Value::from),
        3 => any::<String>().prop_map(Value::from),
        1 => Just(json!("x".repeat(20_000))),
    ]
}

/// Makes an object of members that may be absent.
fn object(members: Vec<(&'static str, Option<Value>)>) -> Value {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect::<Map<_, _>>())
}

/// Makes an optional member: there, null or absent.
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

/// Makes a period whose end lies days after its start, whatever their offsets.
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
