//! Bodies of campaigns and events: hostile bodies, where one list differs from a valid body, and the largest
//! bodies that can be stored.

use harness::{Room, list, object, samples};
use serde_json::{Value, json};
use store::{Family, MAX_ESCAPED_BYTES};

/// The number of bytes that one list of an asset can occupy.
const LIST_BYTES: usize = MAX_ESCAPED_BYTES - 4_096;

/// Items to fill a list with, each with its number of values.
const ITEMS: [(&str, usize); 7] = [
    ("null", 1),
    ("0.5", 1),
    ("{}", 1),
    ("\"x\"", 1),
    ("[[[[[[[[[[0]]]]]]]]]]", 11),
    ("{\"start_date\":\"2026-04-06\",\"end_date\":\"2026-04-19\"}", 3),
    (
        "{\"period_name\":\"\",\"start_time\":\"2026-07-03T18:00:00Z\",\"end_time\":\"2026-07-03T19:00:00Z\"}",
        4,
    ),
];

/// Returns JSON pointers to the lists in the bodies of a family.
fn lists(family: Family) -> &'static [&'static str] {
    match family {
        Family::Campaign => {
            &["/spots", "/spots/0/windows", "/cohort/geography_ids", "/cohort/service_segment_ids"]
        }
        Family::Event => &["/periods", "/place_ids", "/cohort/geography_ids"],
    }
}

/// Returns bodies with one list filled up to the limits of a body, each with a description.
pub(crate) fn hostile_lists(family: Family, room: Room) -> Vec<(String, Vec<u8>)> {
    let room = Room { bytes: room.bytes - 4_096, values: room.values - 64 };
    let wide = object(129, 18, "0");
    let items = ITEMS.into_iter().chain([(wide.as_str(), 130)]);
    let fillings = items.map(|(item, values)| (item, list(room, values, |_| item.to_owned())));
    let spots = spots_of_nulls();
    let fillings: Vec<_> = fillings.chain([("spots of null windows", spots)]).collect();
    let lists = lists(family).iter();
    lists
        .flat_map(|pointer| {
            fillings.iter().map(move |(item, filling)| {
                (format!("{pointer} of {item:.40}"), with(samples::body(family), pointer, filling))
            })
        })
        .collect()
}

/// Returns bodies whose size is close to the maximum size of a stored asset.
pub(crate) fn largest_assets(family: Family) -> Vec<(&'static str, Vec<u8>)> {
    let body = || samples::body(family);
    let filled = |pointer, item: &str| {
        let escaped = item.len() + item.matches('"').count() + 1;
        let items = LIST_BYTES / escaped;
        with(body(), pointer, format!("[{}]", vec![item; items].join(",")).as_bytes())
    };
    let geographies = ("geography ids", filled("/cohort/geography_ids", "\"US2020XXST06\""));
    let noise =
        ("noise", with(body(), "/customer/customer_scenario_info", format!("\"{}\"", noise()).as_bytes()));
    let special = match family {
        Family::Campaign => vec![
            ("windows", filled("/spots/0/windows", ITEMS[5].0)),
            ("segment ids", with(body(), "/cohort/service_segment_ids", &one_letter_each())),
        ],
        Family::Event => vec![("periods", filled("/periods", ITEMS[6].0))],
    };
    [geographies, noise].into_iter().chain(special).collect()
}

/// Returns edits that replace one member and have the maximum size of a body. Together with the asset's other
/// members, the replaced member reaches or exceeds the maximum size of an asset.
pub(crate) fn large_edits(family: Family, room: Room) -> Vec<(&'static str, Vec<u8>)> {
    let room = Room { bytes: room.bytes - 8_192, values: room.values - 64 };
    let filled = |pointer, item: &str, values| {
        let filling = list(room, values, |_| item.to_owned());
        with_member(samples::body(family), pointer, &filling)
    };
    let long = format!("\"{}\"", "x".repeat(room.bytes));
    let text = |pointer| with_member(samples::body(family), pointer, long.as_bytes());
    match family {
        Family::Campaign => vec![
            ("a spot with many windows", filled("/spots/0/windows", ITEMS[5].0, 3)),
            ("a spot with a long text", text("/spots/0/customer_spot_id")),
            ("a cohort with many geographies", filled("/cohort/geography_ids", "\"US2020XXST06\"", 1)),
            (
                "a cohort with many segments",
                filled("/cohort/service_segment_ids", "\"23 characters, no more.\"", 1),
            ),
        ],
        Family::Event => vec![
            ("many periods", filled("/periods", ITEMS[6].0, 4)),
            ("a long description", text("/description")),
            ("a cohort with many geographies", filled("/cohort/geography_ids", "\"US2020XXST06\"", 1)),
        ],
    }
}

/// Returns a body with a string that far exceeds the maximum size of an asset.
pub(crate) fn too_large_an_asset(family: Family, bytes: usize) -> Vec<u8> {
    let text = format!("\"{}\"", "x".repeat(bytes - 4_096));
    with(samples::body(family), "/customer/customer_scenario_info", text.as_bytes())
}

/// Returns an edit of one top-level member. The value at the pointer, which is in that member, is replaced
/// with JSON text.
fn with_member(body: Value, pointer: &str, text: &[u8]) -> Vec<u8> {
    let member = pointer.split('/').nth(1).expect("a member");
    with(json!({ member: body[member] }), pointer, text)
}

/// Replaces the value at a pointer with JSON text.
fn with(mut body: Value, pointer: &str, text: &[u8]) -> Vec<u8> {
    *body.pointer_mut(pointer).expect("a pointer") = json!("HERE");
    let around = body.to_string();
    let (before, after) = around.split_once("\"HERE\"").expect("the placeholder is in the text");
    [before.as_bytes(), text, after.as_bytes()].concat()
}

fn one_letter_each() -> Vec<u8> {
    list(Room { bytes: LIST_BYTES, values: 249_900 }, 1, |_| "\"x\"".to_owned())
}

fn spots_of_nulls() -> Vec<u8> {
    let windows = vec!["null"; 120].join(",");
    let spot = format!("{{\"display_id\":\"x\",\"spot_id\":0,\"windows\":[{windows}]}}");
    format!("[{}]", vec![spot; 2_000].join(",")).into_bytes()
}

/// Returns random characters that compress by only a quarter. They make the stored asset as large as
/// possible.
fn noise() -> String {
    let mut random = fastrand::Rng::with_seed(1);
    (0..4_000_000).map(|_| random.alphanumeric()).collect()
}
