//! Body validation: the service accepts exactly the bodies that match their schema in openapi.yaml, and
//! reports violations at the same places as the schema.

use std::collections::BTreeSet;
use std::fmt::Write;

use accounting::Product;
use harness::{Answer, Contract, TestOrg, World, root, samples};
use serde_json::Value;

use super::bodies::{self, Body};
use super::mutations::{Mutation, all_wrong, mutations};

/// The time between inventory calls, in milliseconds. A key can make 20 per minute.
const PACE_MILLIS: i64 = 3_000;

/// The time between other calls, in milliseconds. It is short enough for bearer tokens to stay valid.
const SHORT_PACE_MILLIS: i64 = 1_000;

/// The number of bodies with several mutations per operation.
const COMBINED: usize = 30;

/// Parts of the messages for rules that JSON Schema can't express.
const BEYOND_A_SCHEMA: [&str; 25] = [
    // The order of two members.
    "must not end before it starts",
    "must end after it starts",
    "must not exceed id_max",
    "must have top_left north of bottom_right",
    // A member that must match the path.
    "must be the customer_scenario_id in the path",
    // Values that must be in the release, or in the lists of states and time zones.
    "must be a geography in this release",
    "must be a cohort in this release",
    "must be a known place type",
    "must be a known venue type",
    "must be a geography of type ",
    "must be a known state",
    "must be a known county",
    "must be a known TV market (DMA)",
    "must be a known metropolitan or micropolitan area (CBSA)",
    "must be an IANA time zone",
    // The length of a flight or an event.
    "must be at most 366 days long",
    "must span at most 366 days",
    // Text that must not be blank, or must contain a letter or a digit. Combining accents don't count.
    "must not be blank",
    "must contain a letter or a digit",
    // A rule about the product of two members.
    "must not reach past result",
    // Rules that one member requires another.
    "without a circle; add filter.geo_distance",
    "must have spot_ids, or media_owner with plant_spot_ids, or all three",
    // At least one of several members.
    "must have an address, a city, a zip_code, or a location",
    // The number of results of a search.
    "must match at most 5000 places",
    // Number notation: JSON Schema accepts 1e16 as an integer.
    "beyond 2^53 with a decimal point or an exponent",
];

/// The recorded messages. Each line contains an operation, the changed place, the new value, and the message.
const MESSAGES: &str = "tests/suite/contract/messages.txt";

async fn send(world: &World, body: &Body, sent: &Value) -> Answer {
    let is_inventory = matches!(body.operation.product, Product::InventorySearch | Product::DisplayLookup);
    world.clock.advance(if is_inventory { PACE_MILLIS } else { SHORT_PACE_MILLIS });
    body.call(world, sent.to_string()).send().await
}

/// Returns the place and the detail of each violation.
fn refused(answer: &Answer) -> Vec<(String, String)> {
    if answer.status != 400 {
        assert!(!answer.status.is_server_error(), "{}", answer.text());
        return Vec::new();
    }
    let body = answer.json();
    let Some(causes) = body["error"]["root_cause"].as_array() else { return answer.violations() };
    let reasons = causes.iter().filter_map(|cause| cause["reason"].as_str());
    let reasons =
        reasons.filter_map(|reason| reason.strip_prefix("the body").unwrap_or(reason).split_once(' '));
    reasons.map(|(place, detail)| (place.to_owned(), detail.to_owned())).collect()
}

/// Sends a body and compares the reported violations with the violations of the schema. Returns the violated
/// rules that the schema can't express. Adds a line to `others` if the service and the schema disagree.
async fn compare(
    world: &World,
    body: &Body,
    (sent, documented): &(Value, BTreeSet<String>),
    others: &mut Vec<String>,
) -> BTreeSet<&'static str> {
    let answer = send(world, body, sent).await;
    let (mut places, mut beyond) = (BTreeSet::new(), BTreeSet::new());
    for (place, detail) in refused(&answer) {
        match BEYOND_A_SCHEMA.iter().find(|rule| detail.contains(**rule)) {
            Some(rule) if !documented.contains(&place) => drop(beyond.insert(*rule)),
            _ => drop(places.insert(place)),
        }
    }
    let has_reason = answer.status != 400 || !places.is_empty() || !beyond.is_empty();
    if places != *documented || !has_reason {
        let sent = sent.to_string();
        others.push(format!("{} {sent:.900} {documented:?}: {:.900}", body.operation.id, answer.text()));
    }
    beyond
}

/// Combines several random mutations in each body. The seed is fixed.
fn combined(valid: &Value, mutations: &[Mutation]) -> Vec<Value> {
    let mut random = fastrand::Rng::with_seed(7);
    let one = |random: &mut fastrand::Rng, body: Value| {
        mutations[random.usize(..mutations.len())].of(&body).unwrap_or(body)
    };
    (0..COMBINED)
        .map(|_| (0..random.usize(2..6)).fold(valid.clone(), |body, _| one(&mut random, body)))
        .collect()
}

/// Returns the first page of the library that an operation changes, if any.
async fn library(world: &World, org: &TestOrg, body: &Body) -> Option<Value> {
    let library = samples::library(body.operation.family()?);
    Some(world.get(library).key(&org.key).send().await.data())
}

#[tokio::test]
async fn service_and_schema_accept_the_same_bodies_and_rejected_bodies_change_nothing() {
    let (world, org) = World::with_org().await;
    let (mut beyond, mut others) = (BTreeSet::new(), Vec::new());
    for body in bodies::all(&world, &org).await {
        let id = body.operation.id;
        let mutations = mutations(id, &body.valid);
        let mutated = mutations.iter().filter_map(|mutation| mutation.of(&body.valid));
        let all = mutated.chain(combined(&body.valid, &mutations)).chain([all_wrong(&body.valid)]);
        let with_faults = all.map(|sent| {
            let faults = Contract::get().faults(id, &sent);
            (sent, faults)
        });
        let (accepted, rejected): (Vec<_>, Vec<_>) = with_faults.partition(|(_, faults)| faults.is_empty());
        let before = library(&world, &org, &body).await;
        for sent in &rejected {
            beyond.extend(compare(&world, &body, sent, &mut others).await);
        }
        assert_eq!(library(&world, &org, &body).await, before, "{id}");
        for sent in &accepted {
            beyond.extend(compare(&world, &body, sent, &mut others).await);
        }
    }
    assert!(others.is_empty(), "{} bodies: {:#?}", others.len(), &others[..others.len().min(2000)]);
    let idle: Vec<_> = BEYOND_A_SCHEMA.iter().filter(|rule| !beyond.contains(*rule)).collect();
    assert!(idle.is_empty(), "no body violates {idle:?}");
}

/// Returns bodies that aren't valid JSON objects, each with part of the expected message.
fn not_objects() -> Vec<(Vec<u8>, &'static str)> {
    let mut bodies: Vec<(Vec<u8>, _)> = vec![
        ("[".repeat(10_000) + &"]".repeat(10_000), "arrays and objects are nested deeper than 16 levels"),
        ("{\"x\":1,\"x\":1}".to_owned(), "member \\\"x\\\" occurs twice"),
        ("{\"a\":[{\"\\u0062\":1,\"b\":2}]}".to_owned(), "member \\\"b\\\" occurs twice"),
        ("null".to_owned(), "must be an object, got null"),
        ("[]".to_owned(), "must be an object, got an array"),
        ("\"{}\"".to_owned(), "must be an object, got a string"),
        ("true".to_owned(), "must be an object, got a boolean"),
        ("1".to_owned(), "must be an object, got a number"),
    ]
    .into_iter()
    .map(|(text, words)| (text.into_bytes(), words))
    .collect();
    let members: Vec<_> = (0..300).map(|name| format!("\"{name}\":0")).collect();
    let wide = format!("{{{}}}", members.join(","));
    bodies.push((wide.into_bytes(), "an object has more than 256 members"));
    let texts = ["", "{", "{}{}", "{'x':1}", "{\"x\":1,}", "NaN", "\"\\ud800\"", "{\"x\":1e999}"];
    bodies.extend(texts.map(|text| (text.as_bytes().to_vec(), "is not valid JSON")));
    // Only one byte order mark is accepted, at the start of the body.
    bodies.extend(
        ["\u{feff}", "\u{feff}\u{feff}{}", "{}\u{feff}"].map(|text| (text.into(), "is not valid JSON")),
    );
    bodies.push((b"\"\xff\"".to_vec(), "is not valid JSON"));
    bodies
}

#[tokio::test]
async fn body_that_is_not_a_json_object_returns_400() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        for (text, words) in not_objects() {
            let context = format!("{} {:.60}", body.operation.id, String::from_utf8_lossy(&text));
            world.clock.advance(PACE_MILLIS);
            let answer = body.call_of(&world, text).send().await;
            assert_eq!(answer.status, 400, "{context}");
            assert!(answer.text().contains(words), "{context}: {}", answer.text());
            assert_eq!(answer.credits_used(), body.operation.price_of_errors(), "{context}");
        }
        for media_type in ["", "text/plain", "application/jsonp", "json", "text/json;json"] {
            world.clock.advance(PACE_MILLIS);
            let answer = body.call_as(&world, media_type, body.valid.to_string()).send().await;
            assert_eq!(answer.error(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()), "{media_type}");
            assert_eq!(answer.credits_used(), body.operation.price_of_errors(), "{media_type}");
        }
    }
}

#[tokio::test]
async fn every_operation_accepts_json_media_types() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        for name in ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"] {
            world.clock.advance(PACE_MILLIS);
            let answer = body.call_as(&world, name, body.valid.to_string()).send().await;
            assert_eq!(answer.status, body.operation.success(), "{}: {name}", body.name());
        }
    }
}

#[tokio::test]
async fn body_may_start_with_a_byte_order_mark() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        world.clock.advance(PACE_MILLIS);
        let answer = body.call(&world, format!("\u{feff}{}", body.valid)).send().await;
        assert_eq!(answer.status, body.operation.success(), "{}: {}", body.name(), answer.text());
    }
}

#[tokio::test]
async fn message_lists_every_violation_with_its_place() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        let answer = send(&world, &body, &all_wrong(&body.valid)).await;
        let message = answer.json()["error"]["message"].take();
        // Inventory search returns a list of causes instead of a message.
        let Some(message) = message.as_str() else { continue };
        for (place, detail) in answer.violations().iter().take(20) {
            assert!(message.contains(place) && message.contains(detail), "{place} {detail}: {message}");
        }
    }
}

/// Parses a line of the recorded messages into the text before the message, the operation, and the mutation.
fn changed(line: &str) -> (&str, &str, Mutation) {
    let (change, _) = line.split_once(" => ").unwrap_or((line, ""));
    let mut words = change.splitn(3, ' ');
    let mut next = || words.next().unwrap_or_else(|| panic!("{change} has fewer than three words"));
    let (operation, place, value) = (next(), next(), next());
    let value = (value != "absent").then(|| serde_json::from_str(value).expect("JSON"));
    (change, operation, Mutation { place: place.trim_start_matches('.').to_owned(), value })
}

#[tokio::test]
async fn validation_messages_match_the_record() {
    let (world, org) = World::with_org().await;
    let bodies = bodies::all(&world, &org).await;
    let recorded = std::fs::read_to_string(root().join(MESSAGES)).expect("valid record");
    let mut actual = String::new();
    for line in recorded.lines() {
        let (change, operation, mutation) = changed(line);
        let body =
            bodies.iter().find(|body| body.operation.id == operation).expect("the operation takes a body");
        let answer = send(&world, body, &mutation.of(&body.valid).expect("a place")).await;
        assert_eq!(answer.credits_used(), body.operation.price_of_errors(), "{change}");
        assert!(answer.body.len() < 6_000, "{change}: {}", answer.text());
        let refused = refused(&answer).into_iter().map(|(place, detail)| format!("{place} {detail}"));
        let refused = refused.collect::<Vec<_>>().join(" | ");
        writeln!(actual, "{change} => {refused}").expect("writing to a string succeeds");
    }
    for rule in BEYOND_A_SCHEMA {
        assert!(actual.contains(rule), "{rule} has no message");
    }
    if std::env::var_os("RECORD").is_some() {
        std::fs::write(root().join(MESSAGES), &actual).expect("written");
    }
    for (actual, recorded) in actual.lines().zip(recorded.lines()) {
        assert_eq!(actual, recorded, "RECORD=1 updates the record");
    }
}
