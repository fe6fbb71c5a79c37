//! Campaign and event bodies that use the most memory: hostile bodies, which are valid except for one list,
//! and the largest bodies that can be stored.

use harness::{Room, list, object, samples};
use serde_json::{Value, json};
use store::{Family, MAX_ESCAPED_BYTES};

/// The number of bytes that a single list in an asset can occupy.
const LIST_BYTES: usize = MAX_ESCAPED_BYTES - 4_096;

/// List items, each with the number of values in it.
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

/// Returns JSON pointers to the lists in a family's bodies.
fn lists(family: Family) -> &'static [&'static str] {
    match family {
        Family::Campaign => {
            &["/spots", "/spots/0/windows", "/cohort/geography_ids", "/cohort/service_segment_ids"]
        }
        Family::Event => &["/periods", "/place_ids", "/cohort/geography_ids"],
    }
}

/// Returns bodies in which one list is as large as the limits allow, each with a description.
pub(crate) fn hostile_lists(family: Family, room: Room) -> Vec<(String, Vec<u8>)> {
    let room = Room { bytes: room.bytes - 4_096, values: room.values - 64 };
    let wide = object(129, 18, "0");
    let items = ITEMS.into_iter().chain([(wide.as_str(), 130)]);
    let fillings = items.map(|(item, values)| (item, list(room, values, item)));
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

/// Returns bodies that are almost as large as a stored asset can be.
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

/// Returns edits of one member that are as large as a request body can be. Together with the asset's other
/// members, they reach or exceed the maximum size of an asset.
pub(crate) fn large_edits(family: Family, room: Room) -> Vec<(&'static str, Vec<u8>)> {
    let room = Room { bytes: room.bytes - 8_192, values: room.values - 64 };
    let filled = |pointer, item: &str, values| {
        let filling = list(room, values, item);
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

/// Replaces the value at a pointer with JSON text and returns an edit of the top-level member that contains
/// it.
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
    list(Room { bytes: LIST_BYTES, values: 249_900 }, 1, "\"x\"")
}

fn spots_of_nulls() -> Vec<u8> {
    let windows = vec!["null"; 120].join(",");
    let spot = format!("{{\"display_id\":\"x\",\"spot_id\":0,\"windows\":[{windows}]}}");
    format!("[{}]", vec![spot; 2_000].join(",")).into_bytes()
}

/// Returns random characters that compress by only a quarter, so that the stored asset is as large as
/// possible.
fn noise() -> String {
    let mut random = fastrand::Rng::with_seed(1);
    (0..4_000_000).map(|_| random.alphanumeric()).collect()
}
